import { CORS_HEADERS } from './headers.ts';

/** A request header that moves the test clock of an account, on staging only. */
export const TEST_TIME_HEADER = 'X-Test-Time';

/** Headers of every response of a staging deployment. */
export const ENVIRONMENT_HEADERS = { 'X-Environment': 'staging' } as const;

const [ENVIRONMENT_HEADER] = Object.keys(ENVIRONMENT_HEADERS);

/** Those of production, and other origins may also read the environment. */
export const STAGING_CORS_HEADERS = {
  ...CORS_HEADERS,
  'Access-Control-Expose-Headers': `${CORS_HEADERS['Access-Control-Expose-Headers']}, ${ENVIRONMENT_HEADER}`,
};
