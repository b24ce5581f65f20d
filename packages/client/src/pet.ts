import { fromJson, toJson } from './json.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** A pet to add. */
export interface NewPet {
  /** 1 to 255 characters. */
  readonly name: string;
  /** Any int64. A `number` works up to 2^53 - 1. */
  readonly categoryId: bigint | number;
  /** Default: `available`. */
  readonly status?: PetStatus | undefined;
}

/** A pet in the store. */
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

/** Reads a list of pets. Otherwise like `petFromJson`. */
export function petsFromJson(text: string): Pet[] {
  return petsFrom(fromJson(text)) ?? fail('a list of pets');
}

const int64 = (value: unknown) => (typeof value === 'bigint' ? value : null);

/** Reads each field from JSON. Null if the field cannot have the value. */
const FIELDS: { readonly [Field in keyof Pet]-?: (value: unknown) => Pet[Field] | null } = {
  id: int64,
  name: (value) => (typeof value === 'string' ? value : null),
  categoryId: int64,
  // The API allows a pet without a status. The service treats it as available.
  status: (value = 'available') => PET_STATUSES.find((status) => status === value) ?? null,
};

/** Undefined if the value is not a pet. */
export function petFrom(value: unknown): Pet | undefined {
  const fields = Object.entries(FIELDS)
    .map(([name, read]) => [name, read(Object(value)[name])])
    .filter(([, field]) => field !== undefined);
  return fields.some(([, field]) => field === null) ? undefined : Object.fromEntries(fields);
}

/** The JSON of a pet to add, without any further fields of the object. */
export function newPetToJson(pet: NewPet): string {
  const { id: _, ...fields } = FIELDS;
  const names = Object.keys(fields) as (keyof typeof fields)[];
  return toJson(Object.fromEntries(names.map((name) => [name, pet[name]])));
}

/** Undefined if the value is not a list of pets. */
export function petsFrom(value: unknown): Pet[] | undefined {
  const pets = Array.isArray(value) ? value.map(petFrom) : [undefined];
  return pets.every((pet) => pet !== undefined) ? pets : undefined;
}

function fail(expected: string): never {
  throw new TypeError(`The JSON is not ${expected}.`);
}
