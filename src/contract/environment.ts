import { z } from 'zod';
import type { Environment } from '#domain/environment.ts';
import { COMMON_HEADERS, CORS_HEADERS, constant, HEADERS } from './headers.ts';
import { OPERATIONS, type Operation } from './operations.ts';

/** A request header that moves the test clock of an account, on staging only. */
export const TEST_TIME_HEADER = 'X-Test-Time';

export const TEST_TIME_RULE =
  'must be now, or a time from 2000 to 2099 with a time zone, such as 2030-12-05T00:00:00Z';

const DAY = '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const LEAP_DAY = '([02468][048]|[13579][26])-02-29';
const MINUTE = '([01][0-9]|2[0-3]):[0-5][0-9]';

/**
 * The rule as a pattern, so that tools can generate valid values. The last year is 2099 because the rate
 * limit headers can hold times until 2106, and a clock that was moved keeps running.
 */
export const TEST_TIME = new RegExp(
  `^(now|20([0-9]{2}-${DAY}|${LEAP_DAY})[Tt]${MINUTE}:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]${MINUTE}))$`,
);

const TEST_TIME_PARAMETER = {
  [TEST_TIME_HEADER]: {
    description:
      'Sets the clock of your account to this time, from which it continues. An earlier time is ' +
      `refused; \`now\` returns to the real time, with new counts. The value ${TEST_TIME_RULE}.`,
    schema: z.string().regex(TEST_TIME).max(40),
    rule: TEST_TIME_RULE,
  },
};

const ENVIRONMENT_HEADER = 'X-Environment';

const STAGING_EXPOSED = `${CORS_HEADERS['Access-Control-Expose-Headers']}, ${ENVIRONMENT_HEADER}`;

/**
 * The failures that a caller can ask for on staging, by the name that follows the test key and `~`. A number
 * in a name is an example of the numbers that are allowed there.
 */
export const REHEARSALS = {
  rate_limit_minute: '429, with the seconds to the end of the minute in `Retry-After`',
  rate_limit_day: '429, with the seconds to midnight UTC in `Retry-After`',
  api_key_banned: '429, as in the first second of a ban: `Retry-After: 300`',
  expired_api_key: '401, as after the expiry of the key',
  revoked_api_key: '401, as after the operator revoked the key',
  read_only_key: '403 to a write, as with a read-only key; reads work',
  service_unavailable: '503 with `Retry-After: 1`; nothing is written',
  internal_error: '500; nothing is written',
  operation_removed: '410 from getPet, as after its removal; the other operations work',
  'slow-2s': 'the usual response, two seconds later; up to `slow-10s`',
  drop: 'the connection closes without a response; nothing is written',
  'drop-after-commit':
    'a write is committed, but the connection closes without a response; a repetition with the same `Idempotency-Key` gets the response',
  'flaky-30':
    'a 503 or no response for 30 % of the requests, in the same order after each restart; `flaky-1` to `flaky-100`',
} as const;

export type RehearsalName = keyof typeof REHEARSALS;

/** The parts of the contract that depend on the environment. */
export const CONTRACTS = {
  production: {
    operations: OPERATIONS,
    /** Every response header, except those of HTTP itself. */
    headers: HEADERS,
    commonHeaders: COMMON_HEADERS,
    /** Every API response carries these. */
    cors: CORS_HEADERS,
    /** Every response carries these, and pages as well. */
    marks: {},
  },
  staging: {
    operations: Object.fromEntries(
      Object.entries<Operation>(OPERATIONS).map(([name, operation]) => [
        name,
        { ...operation, requestHeaders: { ...operation.requestHeaders, ...TEST_TIME_PARAMETER } },
      ]),
    ),
    headers: {
      ...HEADERS,
      'Access-Control-Expose-Headers': {
        ...HEADERS['Access-Control-Expose-Headers'],
        example: STAGING_EXPOSED,
      },
      [ENVIRONMENT_HEADER]: {
        description:
          'Says that the response comes from a staging deployment. Production never sends it.',
        ...constant('staging'),
      },
    },
    commonHeaders: [...COMMON_HEADERS, ENVIRONMENT_HEADER],
    cors: { ...CORS_HEADERS, 'Access-Control-Expose-Headers': STAGING_EXPOSED },
    marks: { [ENVIRONMENT_HEADER]: 'staging' },
  },
} satisfies Record<Environment, object>;
