import { fromJson, stringifiable, toJson } from './json.ts';

const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** A pet to add. */
export interface NewPet {
  /** 1 to 255 characters. */
  readonly name: string;
  /** Any int64. A `number` is accepted up to 2^53 - 1. */
  readonly categoryId: bigint | number;
  /** Default: `available`. */
  readonly status?: PetStatus | undefined;
}

/** A pet in the store. `JSON.stringify` can write it, but not a copy such as `{ ...pet }`. `toJson` writes both. */
export interface Pet {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus;
}

/**
 * Reads a pet from JSON, with every digit of its integers. Throws `SyntaxError` if the text is not
 * JSON, and `TypeError` if it is not a pet.
 */
export function petFromJson(text: string): Pet {
  return petFrom(fromJson(text));
}

/** Reads a list of pets from JSON. Throws the same errors as `petFromJson`. */
export function petsFromJson(text: string): Pet[] {
  const values = fromJson(text);
  return Array.isArray(values) ? values.map(petFrom) : fail('a list of pets');
}

// If one of the next two functions leaves out a field of `Pet` or `NewPet`, it does not compile.

function petFrom(value: unknown): Pet {
  // The API allows a pet without a status. The service treats it as available.
  const { id, name, categoryId, status = 'available' }: Partial<Pet> = Object(value);
  if (typeof id !== 'bigint' || typeof name !== 'string') return fail('a pet');
  if (typeof categoryId !== 'bigint' || !PET_STATUSES.includes(status)) return fail('a pet');
  return stringifiable({ id, name, categoryId, status } satisfies Record<keyof Pet, unknown>);
}

/** Writes the fields of a pet as JSON, without other fields that the object may have. */
export function newPetToJson({ name, categoryId, status }: NewPet): string {
  return toJson({ name, categoryId, status } satisfies Record<keyof NewPet, unknown>);
}

function fail(expected: string): never {
  throw new TypeError(`The JSON is not ${expected}.`);
}
