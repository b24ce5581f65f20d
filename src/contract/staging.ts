import { z } from 'zod';
import { type ErrorCode, problem } from './errors.ts';
import { CORS_HEADERS, HEADERS, type HeaderDefinition } from './headers.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import type { Parameter } from './parameters.ts';

/** A request header that moves the test clock of an account, on staging only. */
export const TEST_TIME_HEADER = 'X-Test-Time';

export const TEST_TIME_RULE =
  'must be a time before 2100 with a time zone, such as 2030-12-05T00:00:00Z, or now';

export const STAGING = 'staging';
export const ENVIRONMENT_HEADER = 'X-Environment';

/** Headers of every response of a staging deployment. */
export const ENVIRONMENT_HEADERS = { [ENVIRONMENT_HEADER]: STAGING } as const;

/** Those of production, and other origins may also read the environment. */
export const STAGING_CORS_HEADERS = {
  ...CORS_HEADERS,
  'Access-Control-Expose-Headers': `${CORS_HEADERS['Access-Control-Expose-Headers']}, ${ENVIRONMENT_HEADER}`,
};

const testTime: Parameter = {
  description:
    'Puts the clock of your account to this time, from which it runs on. It never goes back: ' +
    `\`now\` returns it to the real time and starts over. The value ${TEST_TIME_RULE}.`,
  schema: z
    .string()
    .regex(/^(now|\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d))$/)
    .max(40),
};

/** On every response, in addition to `COMMON_HEADERS`. */
export const ENVIRONMENT: HeaderDefinition = {
  description: 'Says that the response comes from a staging deployment. Production never sends it.',
  schema: { type: 'string', const: STAGING },
  example: STAGING,
};

/** Every response header of a staging deployment. */
export const STAGING_HEADERS: Readonly<Record<string, HeaderDefinition>> = {
  ...HEADERS,
  'Access-Control-Expose-Headers': {
    ...HEADERS['Access-Control-Expose-Headers'],
    example: STAGING_CORS_HEADERS['Access-Control-Expose-Headers'],
  },
  [ENVIRONMENT_HEADER]: ENVIRONMENT,
};

const INVALID_TIME = problem(
  'invalid_parameter',
  `header ${TEST_TIME_HEADER}`,
  TEST_TIME_RULE,
).message;

/** The operations of a staging deployment: each one also takes a test time. */
export const STAGING_OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries<Operation>(OPERATIONS).map(([name, operation]) => [name, rehearsed(operation)]),
);

function rehearsed(operation: Operation): Operation {
  const { requestHeaders, errors, errorExamples } = operation;
  const code: ErrorCode = 'invalid_parameter';
  return {
    ...operation,
    requestHeaders: { ...requestHeaders, [TEST_TIME_HEADER]: testTime },
    ...(!errors.includes(code) && {
      errors: [...errors, code],
      errorExamples: { ...errorExamples, [code]: INVALID_TIME },
    }),
  };
}
