import { keepSending } from './ban.ts';
import { check } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { exhaustFreeDay } from './free-day.ts';
import { FREE_PER_DAY } from './free-plan.ts';
import { expectPlan } from './plan-limits.ts';

/** How a service can refuse a key that it has banned. */
const REFUSALS = [401, 403, 429];

/** Limits that take a day, a ban or several accounts to check. They move test clocks, so they come last. */
export const LIMITS_OVER_TIME = [
  check('limits.free.perDay', 'The Free plan allows 1,000 requests a day', async (session) => {
    const { admitted, overLimit } = await exhaustFreeDay(session);
    if (admitted === FREE_PER_DAY) return;
    const got = admitted > FREE_PER_DAY ? 'more' : `${admitted}`;
    throw new CheckFailed(`${FREE_PER_DAY} requests in a day`, got, overLimit);
  }),
  check(
    'limits.exceeded.wait.day',
    'After a day is used up, a request after Retry-After is admitted',
    async (session) => {
      const { overLimit, nextDay } = await exhaustFreeDay(session);
      if (overLimit.response.status !== 429) {
        throw new NotCheckable('The day did not end: see limits.free.perDay.');
      }
      if (nextDay.response.status === 429) throw new CheckFailed('not 429', '429', nextDay);
    },
  ),
  check(
    'limits.exceeded.backoff',
    'A client that always waits for Retry-After is served each time',
    async (session) => {
      const { refusedAgain } = await exhaustFreeDay(session);
      if (refusedAgain !== undefined) throw new CheckFailed('not 429', '429', refusedAgain);
    },
  ),
  check(
    'limits.exceeded.ban',
    'A key that keeps sending after a 429 may be banned, but not for good',
    async (session) => {
      const { afterEnd } = await keepSending(session);
      const { status } = afterEnd.response;
      if (REFUSALS.includes(status)) {
        throw new CheckFailed('a key that works after Retry-After', `${status}`, afterEnd);
      }
    },
  ),
  check('limits.exceeded.ban.end', 'A ban lasts until Retry-After', async (session) => {
    const { beforeEnd } = await keepSending(session);
    if (beforeEnd === undefined) {
      throw new NotCheckable('The service did not ban the key, which the contract allows.');
    }
    const { status } = beforeEnd.response;
    if (!REFUSALS.includes(status)) {
      throw new CheckFailed('a refusal just before Retry-After', `${status}`, beforeEnd);
    }
  }),
  check(
    'limits.pro',
    'The Pro plan allows 300 requests a minute and 10,000 a day',
    async (session) => expectPlan(session, 'pro', { perMinute: 300, perDay: 10_000 }),
  ),
  check(
    'limits.business',
    'The Business plan allows 1,000 requests a minute and 100,000 a day',
    async (session) => expectPlan(session, 'business', { perMinute: 1_000, perDay: 100_000 }),
  ),
  check(
    'limits.enterprise',
    'The Enterprise plan has limits for each customer',
    async (session) => {
      const { enterpriseLimits } = session.options;
      if (enterpriseLimits === undefined) {
        throw new NotCheckable('Those limits are agreed with the customer: see --help.');
      }
      await expectPlan(session, 'enterprise', enterpriseLimits);
    },
  ),
];
