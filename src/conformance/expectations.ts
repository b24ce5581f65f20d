import { CheckFailed } from './check-error.ts';
import { isInt64, isObject, type Json, parseExactJson } from './exact-json.ts';
import type { RoundTrip } from './round-trip.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** An added pet, as a later response shows it. */
export interface ReadBack {
  readonly added: RoundTrip;
  readonly pet: Json | undefined;
  readonly shownBy: RoundTrip;
}

export function expectStatus(roundTrip: RoundTrip, expected: number): void {
  const { status } = roundTrip.response;
  if (status !== expected) throw new CheckFailed(`status ${expected}`, `${status}`, roundTrip);
}

export function expectSuccess(roundTrip: RoundTrip): void {
  expectStatusFrom(200, 299, roundTrip);
}

/** For requests that must fail, where the contract does not name a status. */
export function expectClientError(roundTrip: RoundTrip): void {
  expectStatusFrom(400, 499, roundTrip);
}

function expectStatusFrom(first: number, last: number, roundTrip: RoundTrip): void {
  const { status } = roundTrip.response;
  if (status >= first && status <= last) return;
  throw new CheckFailed(`a status from ${first} to ${last}`, `${status}`, roundTrip);
}

/** Returns the pets of a list, which must be a bare array. */
export function expectArray(roundTrip: RoundTrip): readonly Json[] {
  const { json } = roundTrip.response;
  if (!Array.isArray(json)) throw new CheckFailed('a JSON array', describe(json), roundTrip);
  return json;
}

export function expectField(
  roundTrip: RoundTrip,
  field: string,
  expected: string,
  isValid: (value: Json | undefined) => boolean,
): void {
  const { json } = roundTrip.response;
  const value = isObject(json) ? json[field] : undefined;
  if (!isValid(value)) throw new CheckFailed(`${field}: ${expected}`, describe(value), roundTrip);
}

/** Compares a pet with the request that created it and the response to that. */
export function expectAsAdded(
  { added, pet, shownBy }: ReadBack,
  fields: readonly string[] = ['id', 'name', 'categoryId', 'status'],
): void {
  const sent = parseExactJson(added.request.body ?? '');
  const returned = added.response.json;
  const expected = { ...(isObject(returned) && returned), ...(isObject(sent) && sent) };
  const got = isObject(pet) ? pet : {};
  for (const field of fields) {
    if (got[field] === expected[field]) continue;
    throw new CheckFailed(`${field}: ${describe(expected[field])}`, describe(got[field]), shownBy);
  }
}

export function isPetStatus(value: Json | undefined): boolean {
  return PET_STATUSES.some((status) => status === value);
}

/** Describes the first invalid field of a pet. Undefined if the pet is valid. */
export function petProblem(pet: Json): string | undefined {
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
