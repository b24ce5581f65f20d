import type { SessionOptions } from '../../../src/conformance/session.ts';
import type { ReferenceServerOptions } from '../reference-server.ts';

/** A server with one fault. */
export interface BrokenServer extends Omit<ReferenceServerOptions, 'clock'> {
  readonly name: string;
  /** Exactly the checks that must fail. */
  readonly caughtBy: readonly string[];
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
