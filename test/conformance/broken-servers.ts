import { WRONG_ANIMALS } from './broken/animals.ts';
import { WRONG_AUTHENTICATION } from './broken/authentication.ts';
import { WRONG_BODIES } from './broken/bodies.ts';
import type { BrokenServer } from './broken/broken-server.ts';
import { WRONG_DEPRECATION } from './broken/deprecation.ts';
import { WRONG_ERRORS } from './broken/errors.ts';
import { WRONG_LIMITS } from './broken/limits.ts';
import { WRONG_PAGES } from './broken/pages.ts';
import { WRONG_STATUSES } from './broken/statuses.ts';

/** Servers with one fault each. */
export const BROKEN_SERVERS: readonly BrokenServer[] = [
  ...WRONG_STATUSES,
  ...WRONG_AUTHENTICATION,
  ...WRONG_PAGES,
  ...WRONG_BODIES,
  ...WRONG_ANIMALS,
  ...WRONG_ERRORS,
  ...WRONG_LIMITS,
  ...WRONG_DEPRECATION,
];
