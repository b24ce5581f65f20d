import { neverCheckable, type Section } from './check.ts';
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

export const LIMITS: Section = {
  title: 'Limits',
  checks: [
    {
      id: 'limits.free.perMinute',
      statement: 'The Free plan allows 60 requests a minute',
      async run(session) {
        const { admitted, overLimit } = await exhaustFreeMinute(session);
        if (admitted === FREE_PER_MINUTE) return;
        const got = admitted > FREE_PER_MINUTE ? 'more' : `${admitted}`;
        throw new CheckFailed(`${FREE_PER_MINUTE} requests in a minute`, got, overLimit);
      },
    },
    {
      id: 'limits.free.perDay',
      statement: 'The Free plan allows 1,000 requests a day',
      run: neverCheckable('This would use up the key for the rest of the day.'),
    },
    {
      id: 'limits.pro',
      statement: 'The Pro plan allows 300 requests a minute and 10,000 a day',
      run: neverCheckable('This needs a key on that plan and would use up its day.'),
    },
    {
      id: 'limits.business',
      statement: 'The Business plan allows 1,000 requests a minute and 100,000 a day',
      run: neverCheckable('This needs a key on that plan and would use up its day.'),
    },
    {
      id: 'limits.enterprise',
      statement: 'The Enterprise plan has limits for each customer',
      run: neverCheckable('Those limits are agreed with the customer.'),
    },
    {
      id: 'limits.exceeded',
      statement: 'A request over the limit returns 429',
      async run(session) {
        expectStatus((await exhaustFreeMinute(session)).overLimit, 429);
      },
    },
    {
      id: 'limits.exceeded.remaining',
      statement: 'A 429 has no requests remaining',
      async run(session) {
        const refused = await firstRefusal(session);
        const remaining = refused.response.headers.get(REMAINING);
        if (remaining === '0') return;
        throw new CheckFailed(`${REMAINING}: 0`, remaining ?? 'no such header', refused);
      },
    },
    {
      id: 'limits.exceeded.backoff',
      statement: 'Clients wait for Retry-After and back off exponentially',
      run: neverCheckable('This is a duty of clients. This one waits.'),
    },
    {
      id: 'limits.exceeded.ban',
      statement: 'The service may ban a key that keeps sending after a 429',
      run: neverCheckable('This could ban the key, and the service does not have to.'),
    },
    {
      id: 'limits.headers.limit',
      statement: 'Every response has the current limit in X-RateLimit-Limit',
      run: async (session) => expectHeader(session, LIMIT, 'a number', (value) => value > 0),
    },
    {
      id: 'limits.headers.limit.free',
      statement: 'X-RateLimit-Limit matches the plan: 60 or 1,000 on the Free plan',
      async run(session) {
        const { overLimit } = await exhaustFreeMinute(session);
        const limit = wholeNumber(overLimit.response, LIMIT);
        if (limit === FREE_PER_MINUTE || limit === FREE_PER_DAY) return;
        throw new CheckFailed(`${LIMIT}: 60 or 1000`, `${limit ?? 'no number'}`, overLimit);
      },
    },
    {
      id: 'limits.headers.remaining',
      statement: 'Every response has the requests left in X-RateLimit-Remaining',
      run: async (session) =>
        expectHeader(
          session,
          REMAINING,
          'a number up to the limit',
          (value, { response }) => value <= (wholeNumber(response, LIMIT) ?? value),
        ),
    },
    {
      id: 'limits.headers.remaining.falls',
      statement: 'X-RateLimit-Remaining falls until the limit resets',
      run: async (session) => expectFallingRemaining(session),
    },
    {
      id: 'limits.headers.reset',
      statement: 'Every response has the reset in X-RateLimit-Reset, in Unix time',
      run: async (session) =>
        expectHeader(session, RESET, 'a Unix time within a day', (value, { receivedAtMs }) => {
          const secondsLeft = value - receivedAtMs / 1000;
          return (
            secondsLeft > -CLOCK_TOLERANCE_SECONDS &&
            secondsLeft < DAY_SECONDS + CLOCK_TOLERANCE_SECONDS
          );
        }),
    },
    {
      id: 'limits.exceeded.wait',
      statement: 'A request after Retry-After is admitted',
      async run(session) {
        const { retried } = await waitAndRetry(session);
        expectStatus(retried, 200);
      },
    },
    {
      id: 'limits.headers.reset.kept',
      statement: 'The limit does not reset well before X-RateLimit-Reset',
      async run(session) {
        const { refused, retried } = await waitAndRetry(session);
        const reset = wholeNumber(refused.response, RESET);
        if (retried.response.status !== 200 || reset === undefined) {
          throw new NotCheckable('The limit did not reset: see limits.exceeded.wait.');
        }
        const secondsEarly = Math.floor(reset - retried.receivedAtMs / 1000);
        if (secondsEarly <= CLOCK_TOLERANCE_SECONDS) return;
        throw new CheckFailed(`${RESET}: the reset`, `${secondsEarly} seconds later`, refused);
      },
    },
  ],
};

interface Retry {
  readonly refused: RoundTrip;
  /** The same request after the wait. */
  readonly retried: RoundTrip;
}

/** Waits once per run, for all checks that need it. */
function waitAndRetry(session: Session): Promise<Retry> {
  return session.cached('the wait for Retry-After', async () => {
    const refused = await firstRefusal(session);
    const seconds = retryAfterSeconds(refused.response, refused.receivedAtMs);
    if (seconds === undefined) {
      throw new NotCheckable('The 429 has no valid Retry-After: see errors.429.retryAfter.');
    }
    if (seconds > MAX_WAIT_SECONDS) {
      throw new NotCheckable(`This check would wait ${seconds} seconds.`);
    }
    if (!session.options.mayWait) {
      throw new NotCheckable('This check waits up to a minute, and --no-wait was given.');
    }
    const secondsLeft = Math.ceil((refused.receivedAtMs - session.nowMs) / 1000 + seconds);
    if (secondsLeft > 0) await session.wait(secondsLeft);
    return { refused, retried: await session.sendWithoutRetry(refused.request) };
  });
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

interface RemainingChange {
  /** The difference from the response before. */
  readonly change: number;
  readonly roundTrip: RoundTrip;
}

/** The changes of X-RateLimit-Remaining, grouped by key and by the values of some headers. */
function changesIn(
  roundTrips: readonly RoundTrip[],
  ...headerNames: string[]
): RemainingChange[][] {
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
