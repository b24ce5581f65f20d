import { CORS_HEADERS } from './headers.ts';

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
