import { fromJson } from './json.ts';
import { PET_STATUSES, type Pet } from './pet.ts';

/**
 * Reads a pet from JSON, with every digit of its integers. Throws `SyntaxError` if the text is not
 * JSON, and `TypeError` if it is not a pet.
 */
export function petFromJson(text: string): Pet {
  return petFrom(fromJson(text)) ?? fail('a pet');
}

/** Reads a list of pets. Otherwise like `petFromJson`. */
export function petsFromJson(text: string): Pet[] {
  return petsFrom(fromJson(text)) ?? fail('a list of pets');
}

/** Undefined if the value is not a pet. */
export function petFrom(value: unknown): Pet | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // The API allows a pet without a status. The service treats it as available.
  const { id, name, categoryId, status = 'available' } = value as Partial<Pet>;
  if (typeof id !== 'bigint' || typeof name !== 'string') return undefined;
  if (typeof categoryId !== 'bigint' || !PET_STATUSES.includes(status)) return undefined;
  return { id, name, categoryId, status };
}

/** Undefined if the value is not a list of pets. */
export function petsFrom(value: unknown): Pet[] | undefined {
  const pets = Array.isArray(value) ? value.map(petFrom) : [undefined];
  return pets.every((pet) => pet !== undefined) ? pets : undefined;
}

function fail(expected: string): never {
  throw new TypeError(`The JSON is not ${expected}.`);
}
