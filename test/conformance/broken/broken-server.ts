import type { SessionOptions } from '../../../src/conformance/session.ts';
import type { ReferenceServerOptions } from '../reference-server.ts';

/** A server with one fault. */
export interface BrokenServer extends Omit<ReferenceServerOptions, 'clock'> {
  readonly name: string;
  /** Exactly the checks that must fail. */
  readonly caughtBy: readonly string[];
  /** Exactly the checks that need what is broken, in addition to those that no server allows. */
  readonly notCheckable?: readonly string[];
  readonly options?: Partial<SessionOptions>;
}

/** The checks of bodies that must return 400. */
export const BAD_BODY_CHECKS: readonly string[] = [
  'resources.petStatus.others',
  'resources.newPet.name.required',
  'resources.newPet.name.string',
  'resources.newPet.categoryId.required',
  'resources.newPet.categoryId.integer',
  'resources.newPet.categoryId.range',
  'createPet.body.required',
  'createPet.body.missingFields',
  'createPet.body.invalidValues',
];

/** The checks that fail if createPet accepts no pet. */
export const VALID_BODY_CHECKS: readonly string[] = [
  'resources.petStatus.values',
  'resources.newPet.categoryId.int64',
  'resources.newPet.status.optional',
  'createPet.created',
];

/** The checks that need the pet in the response of createPet. */
export const NEEDS_RETURNED_PET: readonly string[] = [
  'resources.pet.name',
  'resources.pet.name.unicode',
  'resources.pet.categoryId',
  'resources.pet.id',
  'resources.pet.id.assigned',
  'states.supplied',
];

/** The checks that need the id of a new pet. */
export const NEEDS_ID: readonly string[] = [
  'resources.pet.id.unique',
  'listPets.contains',
  'listPets.status.optional',
  'getPet.found',
  'getPet.replacement',
  'authentication.accepted.getPet',
  'authentication.missing.getPet',
  'authentication.invalid.getPet',
];

/** The checks that need more pets than a page. */
export const NEEDS_MANY_PETS: readonly string[] = [
  'listPets.paginated',
  'listPets.limit.default',
  'listPets.limit.number',
  'listPets.limit.minimum',
  'listPets.limit.maximum',
];

/** The checks that need the largest page, and do not check it. */
export const NEEDS_LIST: readonly string[] = [
  ...NEEDS_MANY_PETS.filter((id) => id !== 'listPets.limit.maximum'),
  'resources.pets',
  'listPets.contains',
  'listPets.status.optional',
  'getPet.replacement',
];
