import { AUTHENTICATION } from './authentication.ts';
import type { Section } from './check.ts';
import { CREATE_PET } from './create-pet.ts';
import { ERRORS } from './errors.ts';
import { GET_PET } from './get-pet.ts';
import { LIMITS } from './limits.ts';
import { LIST_PETS } from './list-pets.ts';
import { RESOURCES } from './resources.ts';
import { RESPONSES, SERVICE } from './service.ts';
import { STATES } from './states.ts';
import { VERSIONING } from './versioning.ts';

/** The whole contract. Checks of every response come last, when all responses have arrived. */
export const SECTIONS: readonly Section[] = [
  SERVICE,
  RESOURCES,
  STATES,
  LIST_PETS,
  CREATE_PET,
  GET_PET,
  AUTHENTICATION,
  VERSIONING,
  ERRORS,
  LIMITS,
  RESPONSES,
];
