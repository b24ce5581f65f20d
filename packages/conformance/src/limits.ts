import { type ApiResponse, isClientError, isSuccess, type KeyName, retryAfter } from './http.ts';
import {
  FREE,
  keepSending,
  overLimitIn,
  refusal,
  retry,
  useDay,
  useMinute,
  usePlan,
} from './quota.ts';
import { DAY_MS, expect, type Limits, needStatement, type Session } from './session.ts';
import { field, header, responses, section, statement, statusWhere } from './statement.ts';

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';
const RESET = 'X-RateLimit-Reset';

/** The clock of the deployment may differ from the clock of this machine by this much. */
const TOLERANCE_SECONDS = 300;

const isAdmitted = statusWhere('not 429', ({ status }) => status !== 429);

export const LIMITS = [
  ...section('errors', 'Errors', [
    ...['code', 'message'].map((name) =>
      statement(
        name,
        `Every error has a ${name}`,
        responses(isError),
        field(name, 'a string', (value) => typeof value === 'string' && value !== ''),
      ),
    ),
    statement(
      'status',
      'Every error repeats the HTTP status',
      responses(isError),
      field('status', 'the HTTP status', (value, { status }) => value === BigInt(status)),
    ),
    statement(
      '429.anyRequest',
      'Over the limit, every operation returns 429',
      async (session) => (await useMinute(session)).others,
      429,
    ),
    statement(
      '429.retryAfter',
      'A 429 has Retry-After',
      refusal,
      header('Retry-After', 'seconds or a date', (_, refused) => retryAfter(refused) !== undefined),
    ),
  ]),
  ...section('limits', 'Limits', [
    statement('free.perMinute', 'The Free plan allows 60 requests a minute', useMinute, (minute) =>
      expectAdmitted(FREE.perMinute, 'minute', minute),
    ),
    statement('exceeded', 'A request over the limit returns 429', overLimitIn, 429),
    statement(
      'exceeded.remaining',
      'A 429 has no requests remaining',
      refusal,
      header(REMAINING, '0', /^0$/),
    ),
    statement(
      'headers.limit',
      'Every response has the current limit in X-RateLimit-Limit',
      responses(),
      header(LIMIT, 'a number', /^[1-9]\d*$/),
    ),
    statement(
      'headers.limit.free',
      'X-RateLimit-Limit matches the plan: 60 or 1,000 on the Free plan',
      overLimitIn,
      header(LIMIT, '60 or 1000', /^(60|1000)$/),
    ),
    statement(
      'headers.remaining',
      'Every response has the requests left in X-RateLimit-Remaining',
      responses(),
      header(
        REMAINING,
        'a number up to the limit',
        (value, { headers }) =>
          /^\d+$/.test(value) && Number(value) <= Number(headers.get(LIMIT) ?? value),
      ),
    ),
    statement(
      'headers.remaining.falls',
      'X-RateLimit-Remaining falls until the limit resets',
      largestWindow,
      (window) => {
        const first = remainingOf(window.at(0));
        const last = remainingOf(window.at(-1));
        expect(last < first, `fewer than ${first}`, `${last}`, window.at(-1));
      },
    ),
    statement(
      'headers.reset',
      'Every response has the reset in X-RateLimit-Reset, in Unix time',
      responses(),
      header(RESET, 'a Unix time within a day', (value, { receivedAtMs }) => {
        const seconds = Number(value) - receivedAtMs / 1000;
        return seconds > -TOLERANCE_SECONDS && seconds < DAY_MS / 1000 + TOLERANCE_SECONDS;
      }),
    ),
    statement(
      'headers.both',
      'If RateLimit is sent, one of its windows has X-RateLimit-Remaining',
      responses(({ headers }) => headers.has('RateLimit')),
      header('RateLimit', 'r as in X-RateLimit-Remaining', (value, response) =>
        value.includes(`;r=${remainingOf(response)};`),
      ),
    ),
    statement(
      'exceeded.wait',
      'A request after Retry-After is admitted',
      async (session) => (await retry(session)).retried,
      isAdmitted,
    ),
    statement(
      'headers.reset.kept',
      'The limit does not reset well before X-RateLimit-Reset',
      retry,
      ({ refused, retried }) => {
        needStatement(retried.status !== 429, 'limits.exceeded.wait');
        const resetMs = Number(refused.headers.get(RESET)) * 1000;
        const seconds = Math.floor((resetMs - retried.receivedAtMs) / 1000);
        const isKept = seconds <= TOLERANCE_SECONDS;
        expect(isKept, `${RESET}: the reset`, `${seconds} seconds later`, refused);
      },
    ),
    statement('free.perDay', 'The Free plan allows 1,000 requests a day', useDay, (day) =>
      expectAdmitted(FREE.perDay, 'day', day),
    ),
    statement(
      'exceeded.wait.day',
      'After a day is used up, a request after Retry-After is admitted',
      useDay,
      ({ overLimit, next }) => {
        needStatement(overLimit.status === 429, 'limits.free.perDay');
        isAdmitted(next);
      },
    ),
    statement(
      'exceeded.backoff',
      'A client that always waits for Retry-After is served each time',
      async (session) => (await useDay(session)).refusedAgain,
      (refused) => refused && isAdmitted(refused),
    ),
    statement(
      'exceeded.ban',
      'A key that keeps sending after a 429 may be banned, but not for good',
      async (session) => (await keepSending(session)).afterEnd,
      statusWhere('a key that works after Retry-After', (response) => !isClientError(response)),
    ),
    statement(
      'exceeded.ban.end',
      'A ban lasts until Retry-After',
      async (session) => (await keepSending(session)).beforeEnd ?? [],
      statusWhere('a refusal just before Retry-After', isClientError),
    ),
    plan('pro', 'The Pro plan allows 300 requests a minute and 10,000 a day', {
      perMinute: 300,
      perDay: 10_000,
    }),
    plan('business', 'The Business plan allows 1,000 requests a minute and 100,000 a day', {
      perMinute: 1_000,
      perDay: 100_000,
    }),
    plan('enterprise', 'The Enterprise plan has limits for each customer'),
  ]),
];

/** True for errors with a body that the contract describes. It says nothing about the body of a 429. */
function isError(response: ApiResponse): boolean {
  return isClientError(response) && response.status !== 429;
}

function expectAdmitted(
  limit: number,
  window: string,
  { admitted, overLimit }: { admitted: number; overLimit: ApiResponse },
): void {
  expect(admitted === limit, `${limit} requests in a ${window}`, `${admitted}`, overLimit);
}

/** A statement about a plan. Without limits, it is about the limits of the account with the key. */
function plan(name: KeyName, sentence: string, limits?: Limits) {
  return statement(
    name,
    sentence,
    (session) => usePlan(session, name, limits ?? session.options.enterpriseLimits),
    ({ perMinute, perDay, minute, fullDay }) => {
      expectAdmitted(perMinute, 'minute', minute);
      const got = `${fullDay.headers.get(LIMIT)}`;
      expect(got === `${perDay}`, `${perDay} requests a day`, got, fullDay);
    },
  );
}

/**
 * Finds the window with the most successful responses. Two responses alone would prove nothing, because the contract
 * does not say which requests are counted.
 */
function largestWindow({ responses: all }: Session): readonly ApiResponse[][] {
  const windows = Map.groupBy(all.filter(isSuccess), ({ request, headers }) =>
    [request.credential, headers.get(LIMIT), headers.get(RESET)].join(),
  );
  const [largest = []] = [...windows.values()].sort((one, other) => other.length - one.length);
  return largest.length > 1 ? [largest] : [];
}

function remainingOf(response: ApiResponse | undefined): number {
  return Number(response?.headers.get(REMAINING));
}
