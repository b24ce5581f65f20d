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
  return petFrom(fromJson(text)) ?? fail('a pet');
}

/** Reads a list of pets from JSON. Throws the same errors as `petFromJson`. */
export function petsFromJson(text: string): Pet[] {
  return petsFrom(fromJson(text)) ?? fail('a list of pets');
}

// If one of the next two functions leaves out a field of `Pet` or `NewPet`, it does not compile.

/** Returns undefined if the value is not a pet. */
export function petFrom(value: unknown): Pet | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // The API allows a pet without a status. The service treats it as available.
  const { id, name, categoryId, status = 'available' } = value as Partial<Pet>;
  if (typeof id !== 'bigint' || typeof name !== 'string') return undefined;
  if (typeof categoryId !== 'bigint' || !PET_STATUSES.includes(status)) return undefined;
  return stringifiable({ id, name, categoryId, status } satisfies Record<keyof Pet, unknown>);
}

/** Writes the fields of a pet as JSON, without other fields that the object may have. */
export function newPetToJson({ name, categoryId, status }: NewPet): string {
  return toJson({ name, categoryId, status } satisfies Record<keyof NewPet, unknown>);
}

/** Returns undefined if the value is not a list of pets. */
export function petsFrom(value: unknown): Pet[] | undefined {
  const pets = Array.isArray(value) ? value.map(petFrom) : [undefined];
  return pets.every((pet) => pet !== undefined) ? pets : undefined;
}

function fail(expected: string): never {
  throw new TypeError(`The JSON is not ${expected}.`);
}
