import { isInt64, isObject, type Json, parseExactJson } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import { Failed } from './verdict.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** An animal that was added, as a later answer shows it. */
export interface Sighting {
  readonly added: Exchange;
  readonly pet: Json | undefined;
  readonly shownBy: Exchange;
}

export function expectStatus(exchange: Exchange, status: number): void {
  const came = exchange.answer.status;
  if (came !== status) throw new Failed(`status ${status}`, `${came}`, exchange);
}

export function expectSuccess(exchange: Exchange): void {
  const { status } = exchange.answer;
  if (status < 200 || status > 299) {
    throw new Failed('a status from 200 to 299', `${status}`, exchange);
  }
}

/** For what is out of bounds where the interface names no status: any refusal will do. */
export function expectRefusal(exchange: Exchange): void {
  const { status } = exchange.answer;
  if (status < 400 || status > 499) {
    throw new Failed('a refusal, with a status from 400 to 499', `${status}`, exchange);
  }
}

/** The animals of a list, which must be a bare array. */
export function expectArray(exchange: Exchange): readonly Json[] {
  const { json } = exchange.answer;
  if (!Array.isArray(json)) throw new Failed('a JSON array', describe(json), exchange);
  return json;
}

export function expectField(
  exchange: Exchange,
  field: string,
  expected: string,
  isRight: (value: Json | undefined) => boolean,
): void {
  const { json } = exchange.answer;
  const value = isObject(json) ? json[field] : undefined;
  if (!isRight(value)) throw new Failed(`${field}: ${expected}`, describe(value), exchange);
}

/** Holds an animal, as an answer shows it, to its creation: what was asked for, and given to it. */
export function expectAsAdded(
  { added, pet, shownBy }: Sighting,
  fields: readonly string[] = ['id', 'name', 'categoryId', 'status'],
): void {
  const asked = parseExactJson(added.request.body ?? '');
  const given = added.answer.json;
  const was = { ...(isObject(given) && given), ...(isObject(asked) && asked) };
  const is = isObject(pet) ? pet : {};
  for (const field of fields) {
    if (is[field] === was[field]) continue;
    throw new Failed(`${field}: ${describe(was[field])}`, describe(is[field]), shownBy);
  }
}

export function isPetStatus(value: Json | undefined): boolean {
  return PET_STATUSES.some((status) => status === value);
}

/** What is wrong with a representation of an animal; undefined when nothing is. */
export function petProblem(pet: Json): string | undefined {
  if (!isObject(pet)) return `${describe(pet)} in place of an animal`;
  const { id, name, categoryId, status } = pet;
  if (!isInt64(id)) return `an animal whose id is ${describe(id)}`;
  if (typeof name !== 'string') return `an animal whose name is ${describe(name)}`;
  if (!isInt64(categoryId)) return `an animal whose categoryId is ${describe(categoryId)}`;
  if (status !== undefined && !isPetStatus(status)) {
    return `an animal whose status is ${describe(status)}`;
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
