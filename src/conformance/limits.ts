import { check } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { expectStatus } from './expectations.ts';
import { exhaustFreeMinute, FREE_PER_DAY, FREE_PER_MINUTE, firstRefusal } from './free-plan.ts';
import { retryAfterSeconds, wholeNumber } from './headers.ts';
import type { RoundTrip } from './round-trip.ts';
import { MAX_WAIT_SECONDS, type Session } from './session.ts';

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';
const RESET = 'X-RateLimit-Reset';

const DAY_SECONDS = 86_400;
const CLOCK_TOLERANCE_SECONDS = 300;

export const LIMITS = [
  check('limits.free.perMinute', 'The Free plan allows 60 requests a minute', async (session) => {
    const { admitted, overLimit } = await exhaustFreeMinute(session);
    if (admitted === FREE_PER_MINUTE) return;
    const got = admitted > FREE_PER_MINUTE ? 'more' : `${admitted}`;
    throw new CheckFailed(`${FREE_PER_MINUTE} requests in a minute`, got, overLimit);
  }),
  check('limits.exceeded', 'A request over the limit returns 429', async (session) => {
    expectStatus((await exhaustFreeMinute(session)).overLimit, 429);
  }),
  check('limits.exceeded.remaining', 'A 429 has no requests remaining', async (session) => {
    const refused = await firstRefusal(session);
    const remaining = refused.response.headers.get(REMAINING);
    if (remaining === '0') return;
    throw new CheckFailed(`${REMAINING}: 0`, remaining ?? 'no such header', refused);
  }),
  check(
    'limits.headers.limit',
    'Every response has the current limit in X-RateLimit-Limit',
    async (session) => expectHeader(session, LIMIT, 'a number', (value) => value > 0),
  ),
  check(
    'limits.headers.limit.free',
    'X-RateLimit-Limit matches the plan: 60 or 1,000 on the Free plan',
    async (session) => {
      const { overLimit } = await exhaustFreeMinute(session);
      const limit = wholeNumber(overLimit.response, LIMIT);
      if (limit === FREE_PER_MINUTE || limit === FREE_PER_DAY) return;
      throw new CheckFailed(`${LIMIT}: 60 or 1000`, `${limit ?? 'no number'}`, overLimit);
    },
  ),
  check(
    'limits.headers.remaining',
    'Every response has the requests left in X-RateLimit-Remaining',
    async (session) =>
      expectHeader(
        session,
        REMAINING,
        'a number up to the limit',
        (value, { response }) => value <= (wholeNumber(response, LIMIT) ?? value),
      ),
  ),
  check(
    'limits.headers.remaining.falls',
    'X-RateLimit-Remaining falls until the limit resets',
    async (session) => expectFallingRemaining(session),
  ),
  check(
    'limits.headers.reset',
    'Every response has the reset in X-RateLimit-Reset, in Unix time',
    async (session) =>
      expectHeader(session, RESET, 'a Unix time within a day', (value, { receivedAtMs }) => {
        const secondsLeft = value - receivedAtMs / 1000;
        return (
          secondsLeft > -CLOCK_TOLERANCE_SECONDS &&
          secondsLeft < DAY_SECONDS + CLOCK_TOLERANCE_SECONDS
        );
      }),
  ),
  check('limits.exceeded.wait', 'A request after Retry-After is admitted', async (session) => {
    const { refused, retried } = await waitAndRetry(session);
    if (retryAfterSeconds(refused.response, refused.receivedAtMs) === undefined) {
      throw new NotCheckable('The 429 has no valid Retry-After: see errors.429.retryAfter.');
    }
    if (retried.response.status === 429) throw new CheckFailed('not 429', '429', retried);
  }),
  check(
    'limits.headers.reset.kept',
    'The limit does not reset well before X-RateLimit-Reset',
    async (session) => {
      const { refused, retried } = await waitAndRetry(session);
      const reset = wholeNumber(refused.response, RESET);
      if (retried.response.status === 429 || reset === undefined) {
        throw new NotCheckable('The limit did not reset: see limits.exceeded.wait.');
      }
      const secondsEarly = Math.floor(reset - retried.receivedAtMs / 1000);
      if (secondsEarly <= CLOCK_TOLERANCE_SECONDS) return;
      throw new CheckFailed(`${RESET}: the reset`, `${secondsEarly} seconds later`, refused);
    },
  ),
];

/** Sends a refused request again after the wait. Waits once per run, for all checks that need it. */
function waitAndRetry(session: Session) {
  return session.cached('the wait for Retry-After', async () => {
    const refused = await firstRefusal(session);
    const seconds = secondsToWait(refused);
    if (seconds > MAX_WAIT_SECONDS && !session.hasClocks) {
      throw new NotCheckable(`This check would wait ${seconds} seconds.`);
    }
    if (!session.options.mayWait && !session.hasClocks) {
      throw new NotCheckable('This check waits up to a minute, and --no-wait was given.');
    }
    const nowMs = session.timeMs('free');
    const secondsLeft = Math.ceil((refused.receivedAtMs - nowMs) / 1000 + seconds);
    if (secondsLeft > 0) await session.wait(secondsLeft, 'free');
    return { refused, retried: await session.sendWithoutRetry(refused.request) };
  });
}

/** Until Retry-After, or without one until the reset. */
function secondsToWait({ response, receivedAtMs }: RoundTrip): number {
  const reset = wholeNumber(response, RESET) ?? 0;
  const untilReset = Math.max(1, Math.ceil(reset - receivedAtMs / 1000));
  return retryAfterSeconds(response, receivedAtMs) ?? untilReset;
}

/** Checks a header of every response so far. */
function expectHeader(
  { roundTrips }: Session,
  name: string,
  expected: string,
  isValid: (value: number, roundTrip: RoundTrip) => boolean,
): void {
  for (const roundTrip of roundTrips) {
    const { response } = roundTrip;
    const value = wholeNumber(response, name);
    if (value !== undefined && isValid(value, roundTrip)) continue;
    const got = response.headers.get(name) ?? 'no such header';
    throw new CheckFailed(`${name}: ${expected}`, got, roundTrip);
  }
}

/**
 * Compares the first and last response of each window, since not every request has to count. If the
 * reset moves with every request, one fall between two responses is enough.
 */
function expectFallingRemaining({ roundTrips }: Session): void {
  const successes = roundTrips.filter(({ response }) => response.status < 300);
  const changes = changesIn(successes, LIMIT).flat();
  const windows = changesIn(successes, LIMIT, RESET).map((window) => ({
    last: window.at(-1)?.roundTrip,
    change: window.reduce((sum, { change }) => sum + change, 0),
  }));
  const rise = windows.find(({ change }) => change > 0);
  if (rise !== undefined) {
    throw new CheckFailed('fewer than before', `${rise.change} more`, rise.last);
  }
  if (changes.some(({ change }) => change < 0)) return;
  if (windows.length > 0) {
    throw new CheckFailed('a falling number', 'always the same', successes.at(-1));
  }
  throw new NotCheckable('No two responses have the same reset.');
}

/**
 * The changes of X-RateLimit-Remaining from one response to the next, grouped by key and by the
 * values of some headers.
 */
function changesIn(roundTrips: readonly RoundTrip[], ...headerNames: string[]) {
  const groups = Map.groupBy(roundTrips, ({ request: { credential }, response: { headers } }) =>
    [credential, ...headerNames.map((name) => headers.get(name))].join(),
  );
  const remaining = ({ response }: RoundTrip) => wholeNumber(response, REMAINING) ?? 0;
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) =>
      group.slice(1).map((roundTrip, i) => ({
        change: remaining(roundTrip) - remaining(group[i] as RoundTrip),
        roundTrip,
      })),
    );
}
