import type { JsonValue } from '../domain/json.ts';
import { type NewPet, PET_STATUSES, type Pet } from './pet.ts';

/** Undefined when the value is no animal. */
export function petFromJson(value: JsonValue): Pet | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { id, name, categoryId } = value;
  // The interface lets an animal go without a status; the service takes that for available.
  const { status: said = 'available' } = value;
  const status = PET_STATUSES.find((known) => known === said);
  if (typeof id !== 'bigint' || typeof name !== 'string') return undefined;
  if (typeof categoryId !== 'bigint' || status === undefined) return undefined;
  return { id, name, categoryId, status };
}

/** Writes int64 digit for digit. What is wrong with the animal is for the service to say. */
export function newPetToJson({ name, categoryId, status }: NewPet): string {
  const exact = exactInteger('categoryId', categoryId);
  const members = { name, categoryId: exact, status };
  const written = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`);
  return `{${written.join(',')}}`;
}

/** Throws `TypeError` for a number that may have been rounded already. */
export function exactInteger(name: string, value: bigint | number): bigint | number {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new TypeError(
    `${name} must be a bigint, or a number up to 2^53 - 1: beyond that, numbers are rounded.`,
  );
}
