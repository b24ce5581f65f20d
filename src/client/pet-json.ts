import type { JsonValue } from '../domain/json.ts';
import { type NewPet, PET_STATUSES, type Pet } from './pet.ts';

/** Undefined if the value is not a pet. */
export function petFromJson(value: JsonValue): Pet | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  // The API allows a pet without a status. The service treats it as available.
  const { id, name, categoryId, status: jsonStatus = 'available' } = value;
  const status = PET_STATUSES.find((known) => known === jsonStatus);
  if (typeof id !== 'bigint' || typeof name !== 'string') return undefined;
  if (typeof categoryId !== 'bigint' || status === undefined) return undefined;
  return { id, name, categoryId, status };
}

/** Serializes int64 values exactly. Leaves validation to the service. */
export function newPetToJson({ name, categoryId, status }: NewPet): string {
  const members = { name, categoryId: exactInteger('categoryId', categoryId), status };
  const serialized = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`);
  return `{${serialized.join(',')}}`;
}

/** Throws `TypeError` for a number that may already be rounded. */
export function exactInteger(name: string, value: bigint | number): bigint | number {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new TypeError(
    `${name} must be a bigint, or a number up to 2^53 - 1; larger numbers are rounded.`,
  );
}
