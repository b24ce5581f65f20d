import { isInt64, isObject, type Json } from './exact-json.ts';
import type { RoundTrip } from './round-trip.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** A pet that the deployment must have, with the fields that it must show. */
export interface KnownPet {
  /** Undefined if no response showed it. */
  readonly id: bigint | string | undefined;
  readonly fields: Readonly<Record<string, Json>>;
}

/** A pet in a response. */
export interface Shown {
  readonly pet: Json | undefined;
  readonly shownBy: RoundTrip;
}

/** The id of a pet. A string of digits is wrong, but can still be used. */
export function idOf(pet: Json | undefined): bigint | string | undefined {
  const id = fieldOf(pet, 'id');
  return isInt64(id) || (typeof id === 'string' && /^\d{1,19}$/.test(id)) ? id : undefined;
}

export function fieldOf(pet: Json | undefined, field: string): Json | undefined {
  return isObject(pet) ? pet[field] : undefined;
}

export function isPetStatus(value: Json | undefined): boolean {
  return PET_STATUSES.some((status) => status === value);
}

/** Describes the first invalid field of a pet. Undefined if the pet is valid. */
export function petProblem(pet: Json | undefined): string | undefined {
  if (!isObject(pet)) return `${describe(pet)} instead of a pet`;
  const { id, name, categoryId, status } = pet;
  if (!isInt64(id)) return `a pet whose id is ${describe(id)}`;
  if (typeof name !== 'string') return `a pet whose name is ${describe(name)}`;
  if (!isInt64(categoryId)) return `a pet whose categoryId is ${describe(categoryId)}`;
  if (status !== undefined && !isPetStatus(status)) {
    return `a pet whose status is ${describe(status)}`;
  }
  return undefined;
}

/** A value in a few words. */
export function describe(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return `an object with ${Object.keys(value).join(', ') || 'no members'}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
