import { CheckFailed } from './check-error.ts';
import { isObject, type Json } from './exact-json.ts';
import { describe, fieldOf, type KnownPet, type Shown } from './pet.ts';
import type { RoundTrip } from './round-trip.ts';

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

/** Compares the fields of a pet that are known with those that a response shows. */
export function expectFields(
  { pet, shownBy }: Shown,
  { id, fields }: KnownPet,
  names: readonly string[] = ['id', 'name', 'categoryId', 'status'],
): void {
  const expected: KnownPet['fields'] = { ...fields, ...(id !== undefined && { id }) };
  for (const name of names.filter((one) => one in expected)) {
    const got = fieldOf(pet, name);
    if (got === expected[name]) continue;
    throw new CheckFailed(`${name}: ${describe(expected[name])}`, describe(got), shownBy);
  }
}
