import { neverCheckable, type Section } from './check.ts';
import type { Exchange } from './exchange.ts';
import { expectStatus } from './expectations.ts';
import { FREE_PER_DAY, FREE_PER_MINUTE, refusal, useUpFreeMinute } from './free-plan.ts';
import { retryAfterSeconds, wholeNumber } from './headers.ts';
import { MAX_WAIT_SECONDS, type Session } from './session.ts';
import { Failed, NotCheckable } from './verdict.ts';

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';
const RESET = 'X-RateLimit-Reset';

/** The longest window is a day; clocks may differ by some minutes. */
const DAY_SECONDS = 86_400;
const CLOCK_TOLERANCE_SECONDS = 300;

export const LIMITS: Section = {
  title: 'Limits',
  checks: [
    {
      id: 'limits.free.perMinute',
      sentence: 'The Free plan has 60 requests a minute',
      async check(session) {
        const { admitted, beyond } = await useUpFreeMinute(session);
        if (admitted === FREE_PER_MINUTE) return;
        const came = admitted > FREE_PER_MINUTE ? 'more' : `${admitted}`;
        throw new Failed(`${FREE_PER_MINUTE} admitted requests in a minute`, came, beyond);
      },
    },
    {
      id: 'limits.free.perDay',
      sentence: 'The Free plan has 1,000 requests a day',
      check: neverCheckable('It would take 1,000 requests, and the key for the rest of the day.'),
    },
    {
      id: 'limits.pro',
      sentence: 'The Pro plan has 300 requests a minute and 10,000 a day',
      check: neverCheckable('It would take a key of that plan, and all its requests of a day.'),
    },
    {
      id: 'limits.business',
      sentence: 'The Business plan has 1,000 requests a minute and 100,000 a day',
      check: neverCheckable('It would take a key of that plan, and all its requests of a day.'),
    },
    {
      id: 'limits.enterprise',
      sentence: 'The Enterprise plan has limits of its own for each customer',
      check: neverCheckable('Which ones is agreed with the customer, and shown nowhere.'),
    },
    {
      id: 'limits.exceeded',
      sentence: 'A request beyond the limit is answered 429',
      async check(session) {
        const { beyond } = await useUpFreeMinute(session);
        const { status } = beyond.answer;
        if (status !== 429) throw new Failed('status 429', `${status}`, beyond);
      },
    },
    {
      id: 'limits.exceeded.remaining',
      sentence: 'Beyond the limit no requests remain',
      async check(session) {
        const refused = await refusal(session);
        const came = refused.answer.headers.get(REMAINING);
        if (came !== '0') throw new Failed(`${REMAINING}: 0`, came ?? 'no such header', refused);
      },
    },
    {
      id: 'limits.exceeded.backoff',
      sentence: 'Clients wait for Retry-After, and longer each time',
      check: neverCheckable('It is the duty of clients. This one waits as it is told.'),
    },
    {
      id: 'limits.exceeded.ban',
      sentence: 'A key that goes on sending after a 429 may be banned for a while',
      check: neverCheckable('It would lock the key, and a service may also not ban.'),
    },
    {
      id: 'limits.headers.limit',
      sentence: 'Every answer has the limit in force in X-RateLimit-Limit',
      check: async (session) => expectHeader(session, LIMIT, 'a number', (value) => value > 0),
    },
    {
      id: 'limits.headers.limit.free',
      sentence: 'The limit in force is that of the plan: 60 or 1,000 on the Free plan',
      async check(session) {
        const { beyond } = await useUpFreeMinute(session);
        const limit = wholeNumber(beyond.answer, LIMIT);
        if (limit === FREE_PER_MINUTE || limit === FREE_PER_DAY) return;
        throw new Failed(`${LIMIT}: 60 or 1000`, `${limit ?? 'no number'}`, beyond);
      },
    },
    {
      id: 'limits.headers.remaining',
      sentence: 'Every answer has the number of requests left in X-RateLimit-Remaining',
      check: async (session) =>
        expectHeader(
          session,
          REMAINING,
          'a number up to the limit',
          (value, { answer }) => value <= (wholeNumber(answer, LIMIT) ?? value),
        ),
    },
    {
      id: 'limits.headers.remaining.falls',
      sentence: 'The number of requests left falls with them until the limit resets',
      check: async (session) => expectFallingRemaining(session),
    },
    {
      id: 'limits.headers.reset',
      sentence: 'Every answer has the Unix time at which the limit resets in X-RateLimit-Reset',
      check: async (session) =>
        expectHeader(session, RESET, 'a Unix time within the next day', (value, { atMs }) => {
          const secondsLeft = value - atMs / 1000;
          return (
            secondsLeft > -CLOCK_TOLERANCE_SECONDS &&
            secondsLeft < DAY_SECONDS + CLOCK_TOLERANCE_SECONDS
          );
        }),
    },
    {
      id: 'limits.exceeded.wait',
      sentence: 'Who waits for Retry-After is admitted again',
      async check(session) {
        const { retried } = await waitAndRetry(session);
        expectStatus(retried, 200);
      },
    },
    {
      id: 'limits.headers.reset.kept',
      sentence: 'The limit resets when X-RateLimit-Reset says, and not well before',
      async check(session) {
        const { refused, retried } = await waitAndRetry(session);
        const reset = wholeNumber(refused.answer, RESET);
        if (retried.answer.status !== 200 || reset === undefined) {
          throw new NotCheckable('It did not reset: see limits.exceeded.wait.');
        }
        const secondsLate = Math.floor(reset - retried.atMs / 1000);
        if (secondsLate <= CLOCK_TOLERANCE_SECONDS) return;
        throw new Failed(`${RESET}: when it resets`, `${secondsLate} seconds later`, refused);
      },
    },
  ],
};

interface Retry {
  readonly refused: Exchange;
  /** The same request, sent again after the wait. */
  readonly retried: Exchange;
}

/** Waits once in a run, for all checks that look at what comes then. */
function waitAndRetry(session: Session): Promise<Retry> {
  return session.shared('the wait for Retry-After', async () => {
    const refused = await refusal(session);
    const seconds = retryAfterSeconds(refused.answer, refused.atMs);
    if (seconds === undefined) {
      throw new NotCheckable('No wait is named: see errors.429.retryAfter.');
    }
    if (seconds > MAX_WAIT_SECONDS) {
      throw new NotCheckable(`It takes a wait of ${seconds} seconds.`);
    }
    if (!session.options.mayWait) {
      throw new NotCheckable('It takes a wait of up to a minute, and --no-wait was given.');
    }
    const secondsLeft = Math.ceil((refused.atMs - session.nowMs) / 1000 + seconds);
    if (secondsLeft > 0) await session.wait(secondsLeft);
    return { refused, retried: await session.attempt(refused.request) };
  });
}

/** Looks at a header of every answer of the run so far. */
function expectHeader(
  { exchanges }: Session,
  name: string,
  expected: string,
  isRight: (value: number, exchange: Exchange) => boolean,
): void {
  for (const exchange of exchanges) {
    const value = wholeNumber(exchange.answer, name);
    if (value !== undefined && isRight(value, exchange)) continue;
    const came = exchange.answer.headers.get(name) ?? 'no such header';
    throw new Failed(`${name}: ${expected}`, came, exchange);
  }
}

/**
 * Not every request need count, so a window is judged by its first and its last answer. Where the
 * reset moves on with every request, a fall from one answer to the next is enough.
 */
function expectFallingRemaining({ exchanges }: Session): void {
  const served = exchanges.filter(({ answer }) => answer.status < 300);
  const changes = changesIn(served, LIMIT).flat();
  const windows = changesIn(served, LIMIT, RESET).map((window) => ({
    last: window.at(-1)?.exchange,
    change: window.reduce((sum, { change }) => sum + change, 0),
  }));
  const rise = windows.find(({ change }) => change > 0);
  if (rise !== undefined) throw new Failed('fewer than before', `${rise.change} more`, rise.last);
  if (changes.some(({ change }) => change < 0)) return;
  if (windows.length > 0) throw new Failed('fewer and fewer', 'always as many', served.at(-1));
  throw new NotCheckable('No two answers tell of the same reset.');
}

interface Change {
  /** How many more requests are left than in the answer before. */
  readonly change: number;
  readonly exchange: Exchange;
}

/** What became of X-RateLimit-Remaining, for each key among answers that share some headers. */
function changesIn(exchanges: readonly Exchange[], ...sharedHeaders: string[]): Change[][] {
  const groups = Map.groupBy(exchanges, ({ request: { credential }, answer: { headers } }) =>
    [credential, ...sharedHeaders.map((name) => headers.get(name))].join(),
  );
  const remaining = ({ answer }: Exchange) => wholeNumber(answer, REMAINING) ?? 0;
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) =>
      group.slice(1).map((exchange, i) => ({
        change: remaining(exchange) - remaining(group[i] as Exchange),
        exchange,
      })),
    );
}
