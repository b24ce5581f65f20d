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

/** The checks that add a pet. */
export const NEEDS_CREATE_PET: readonly string[] = [
  'resources.petStatus.values',
  'resources.newPet.categoryId.int64',
  'resources.newPet.status.optional',
  'resources.pet.name',
  'resources.pet.name.unicode',
  'resources.pet.categoryId',
  'resources.pet.id.assigned',
  'states.supplied',
  'listPets.contains',
  'createPet.pet',
];

/** The checks that need a pet, but not a new one. */
export const NEEDS_A_PET: readonly string[] = [
  'resources.pet.id',
  'resources.pet.id.unique',
  'resources.pets',
  'listPets.status.filter',
  'listPets.status.optional',
  'getPet.found',
  'getPet.replacement',
];

/** The checks that need more pets than a page. */
export const NEEDS_MANY_PETS: readonly string[] = [
  'listPets.paginated',
  'listPets.limit.default',
  'listPets.limit.number',
  'listPets.limit.minimum',
  'listPets.limit.maximum',
];

/** The checks that need a list. */
export const NEEDS_LIST: readonly string[] = [
  ...NEEDS_MANY_PETS,
  'resources.pets',
  'listPets.array',
  'listPets.contains',
  'listPets.status.filter',
  'listPets.status.optional',
  'getPet.replacement',
];
