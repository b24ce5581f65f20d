import { AUTHENTICATION } from './authentication.ts';
import type { Check } from './check.ts';
import { CREATE_PET } from './create-pet.ts';
import { ERRORS } from './errors.ts';
import { GET_PET } from './get-pet.ts';
import { LIMITS } from './limits.ts';
import { LIMITS_OVER_TIME } from './limits-over-time.ts';
import { LIST_PETS } from './list-pets.ts';
import { RESOURCES } from './resources.ts';
import { RESPONSES, SERVICE } from './service.ts';
import { STATES } from './states.ts';
import { VERSIONING } from './versioning.ts';

export interface Section {
  readonly title: string;
  readonly checks: readonly Check[];
}

/** The whole contract. Checks of every response come last, when all responses have arrived. */
export const SECTIONS: readonly Section[] = [
  { title: 'The service', checks: SERVICE },
  { title: 'Resources', checks: RESOURCES },
  { title: 'States', checks: STATES },
  { title: 'listPets: GET /pets', checks: LIST_PETS },
  { title: 'createPet: POST /pets', checks: CREATE_PET },
  { title: 'getPet: GET /pets/{petId}', checks: GET_PET },
  { title: 'Authentication', checks: AUTHENTICATION },
  { title: 'Versioning', checks: VERSIONING },
  { title: 'Errors', checks: ERRORS },
  { title: 'Limits', checks: [...LIMITS, ...LIMITS_OVER_TIME] },
  { title: 'All responses', checks: RESPONSES },
];
