import { z } from 'zod';
import type { Environment } from '../domain/environment.ts';
import { type ErrorCode, problem } from './errors.ts';
import {
  COMMON_HEADERS,
  CORS_HEADERS,
  constant,
  HEADERS,
  type HeaderDefinition,
} from './headers.ts';
import { OPERATIONS, type Operation } from './operations.ts';

/** The promises of the API in an environment. */
interface EnvironmentContract {
  readonly operations: Readonly<Record<string, Operation>>;
  /** Every response header, except those of HTTP itself. */
  readonly headers: Readonly<Record<string, HeaderDefinition>>;
  readonly commonHeaders: readonly string[];
  /** Every API response carries these. */
  readonly cors: Readonly<Record<string, string>>;
  /** Every response carries these, and pages as well. */
  readonly marks: Readonly<Record<string, string>>;
}

/** A request header that moves the test clock of an account, on staging only. */
export const TEST_TIME_HEADER = 'X-Test-Time';

export const TEST_TIME_RULE =
  'must be a time before 2100 with a time zone, such as 2030-12-05T00:00:00Z, or now';

export const STAGING = 'staging';
const ENVIRONMENT_HEADER = 'X-Environment';

const STAGING_EXPOSED = `${CORS_HEADERS['Access-Control-Expose-Headers']}, ${ENVIRONMENT_HEADER}`;

export const CONTRACTS: Readonly<Record<Environment, EnvironmentContract>> = {
  production: {
    operations: OPERATIONS,
    headers: HEADERS,
    commonHeaders: COMMON_HEADERS,
    cors: CORS_HEADERS,
    marks: {},
  },
  staging: {
    operations: Object.fromEntries(
      Object.entries<Operation>(OPERATIONS).map(([name, operation]) => [
        name,
        withTestTime(operation),
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
        ...constant(STAGING),
      },
    },
    commonHeaders: [...COMMON_HEADERS, ENVIRONMENT_HEADER],
    cors: { ...CORS_HEADERS, 'Access-Control-Expose-Headers': STAGING_EXPOSED },
    marks: { [ENVIRONMENT_HEADER]: STAGING },
  },
};

function withTestTime(operation: Operation): Operation {
  const { requestHeaders, errors, errorExamples } = operation;
  const code: ErrorCode = 'invalid_parameter';
  const testTime = {
    description:
      'Puts the clock of your account to this time, from which it runs on. It never goes back: ' +
      `\`now\` returns it to the real time and starts over. The value ${TEST_TIME_RULE}.`,
    schema: z
      .string()
      .regex(/^(now|\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d))$/)
      .max(40),
  };
  const { message } = problem(code, `header ${TEST_TIME_HEADER}`, TEST_TIME_RULE);
  return {
    ...operation,
    requestHeaders: { ...requestHeaders, [TEST_TIME_HEADER]: testTime },
    ...(!errors.includes(code) && {
      errors: [...errors, code],
      errorExamples: { ...errorExamples, [code]: message },
    }),
  };
}
