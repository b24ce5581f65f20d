import { IdempotencyKeyReusedError } from '#domain/error.ts';
import type { IdempotencyKey } from '#domain/idempotency-key.ts';
import type { ListedPet, StoredPet } from '#domain/operator/operator-pets.ts';
import type { CreatedPet, NewPet, Pet } from '#domain/pet.ts';
import { ORIGIN_COLUMNS, PET_COLUMNS } from '#domain/pet-columns.ts';
import { parseJson } from '#formats/json.ts';
import { columnOf, selectList } from './sql.ts';

const COLUMNS = { ...PET_COLUMNS, ...ORIGIN_COLUMNS };
const PET_FIELDS = Object.keys(PET_COLUMNS) as (keyof Pet)[];
const STORED_FIELDS = Object.keys(COLUMNS) as (keyof StoredPet)[];
const FIELDS_OF_NEW = PET_FIELDS.filter((field) => field !== 'id');

const TYPES = { text: 'text', int64: 'bigint', integer: 'integer', boolean: 'boolean' };
/** Converts the value of a column to that of its field. Values of other types need no conversion. */
const CONVERSIONS: Partial<Record<keyof typeof TYPES, (value: unknown) => unknown>> = {
  integer: Number,
  boolean: Boolean,
};

export const SELECTED_PET = selectList(PET_FIELDS);
export const SELECT_PETS = `SELECT ${SELECTED_PET} FROM pets`;
export const SELECT_LISTED_PETS = `SELECT ${selectList(STORED_FIELDS)},
  (SELECT a.name FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.id = pets.key_id)
    AS "accountName" FROM pets`;
export const NEW_PET_COLUMNS = FIELDS_OF_NEW.map(columnOf);

/** The columns of a table of new pets, with their types. */
export const NEW_PET_DEFINITIONS = FIELDS_OF_NEW.map(
  (field) => `${columnOf(field)} ${TYPES[typeOf(field)]}`,
);

/** The members of a JSON object, which `petFromJson` reads, for a table of pets `p`. */
export const PET_MEMBERS = PET_FIELDS.map(columnOf).map((column) => `'${column}', p.${column}`);

/**
 * The values of a new pet for JSON, in the order of `NEW_PET_COLUMNS`. An int64 is text, which both databases convert to
 * an integer.
 */
export function jsonValuesOf(pet: NewPet): (string | number | boolean | null)[] {
  return FIELDS_OF_NEW.map((field) => {
    const value = pet[field] ?? null;
    return typeof value === 'bigint' ? `${value}` : value;
  });
}

/** True if some field of a pet needs a conversion. As long as none does, reading a pet skips it. */
const MUST_CONVERT = PET_FIELDS.some((field) => /integer|boolean|[?]/.test(PET_COLUMNS[field]));

/** The pet in a row of `SELECT_PETS`. A field that is NULL in the row is absent from the pet. */
export function petIn(row: Pet): Pet {
  return MUST_CONVERT ? toPet(PET_FIELDS, (field) => row[field]) : row;
}

export function storedPetIn(row: StoredPet): StoredPet {
  return toPet(STORED_FIELDS, (field) => row[field]);
}

/** The pet in a row of `SELECT_LISTED_PETS`. */
export function listedPetIn(row: ListedPet): ListedPet {
  return { ...storedPetIn(row), accountName: row.accountName };
}

/** The pet in a JSON object, whose members are named like its columns. */
function petFromJson(text: string): Pet {
  const row = parseJson(text) as Record<string, unknown>;
  return toPet(PET_FIELDS, (field) => row[columnOf(field)]);
}

/** The result of a creation, from either database. */
export interface CreationRow {
  readonly id: bigint | string;
  /** This and `pet` are those of an earlier creation with the same idempotency key. The pet may have been removed. */
  readonly fingerprint: string | null;
  readonly pet: string | null;
}

/** Throws `IdempotencyKeyReusedError` when the key was used for a different pet. */
export function createdPet(
  newPet: NewPet,
  { id, fingerprint, pet }: CreationRow,
  key?: IdempotencyKey,
): CreatedPet {
  const replayed = fingerprint !== null;
  if (replayed && fingerprint !== key?.fingerprint) throw new IdempotencyKeyReusedError();
  // If the pet was removed meanwhile, the retry still gets it as it was created. The equal fingerprints show
  // that the retry has the same fields.
  return { pet: pet === null ? { id: BigInt(id), ...newPet } : petFromJson(pet), replayed };
}

function toPet<Field extends keyof StoredPet>(
  fields: readonly Field[],
  read: (field: Field) => unknown,
): Pet {
  const pet: Record<string, unknown> = {};
  for (const field of fields) {
    const value = read(field) ?? undefined;
    if (value === undefined) continue;
    pet[field] = CONVERSIONS[typeOf(field)]?.(value) ?? value;
  }
  return pet as unknown as Pet;
}

function typeOf(field: keyof StoredPet): keyof typeof TYPES {
  return COLUMNS[field].replace('?', '') as keyof typeof TYPES;
}
