import { AUTHENTICATION_FAULTS } from './broken/authentication.ts';
import { BODY_FAULTS } from './broken/bodies.ts';
import type { BrokenServer } from './broken/broken-server.ts';
import { DEPRECATION_FAULTS } from './broken/deprecation.ts';
import { ERROR_FAULTS } from './broken/errors.ts';
import { LIMIT_FAULTS } from './broken/limits.ts';
import { PAGE_FAULTS } from './broken/pages.ts';
import { PET_FAULTS } from './broken/pets.ts';
import { STATUS_FAULTS } from './broken/statuses.ts';

/** Servers with one fault each. */
export const BROKEN_SERVERS: readonly BrokenServer[] = [
  ...STATUS_FAULTS,
  ...AUTHENTICATION_FAULTS,
  ...PAGE_FAULTS,
  ...BODY_FAULTS,
  ...PET_FAULTS,
  ...ERROR_FAULTS,
  ...LIMIT_FAULTS,
  ...DEPRECATION_FAULTS,
];
