import type { SmallServerOptions } from '../small-server.ts';

/** A small server with one fault. */
export interface BrokenServer extends Pick<SmallServerOptions, 'fault' | 'perMinute'> {
  readonly name: string;
  /** The checks that must fail, all of them and no others. */
  readonly caughtBy: readonly string[];
}

/** The checks that send a body which must be answered 400. */
export const CHECKS_OF_BAD_BODIES: readonly string[] = [
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
