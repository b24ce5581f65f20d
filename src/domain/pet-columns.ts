import type { StoredPet } from './operator/operator-pets.ts';
import type { Pet } from './pet.ts';

/** The column of a type. A type without a column, such as a list, is a compile error. */
type ColumnType<T> = T extends bigint
  ? 'int64'
  : T extends number
    ? 'integer'
    : T extends boolean
      ? 'boolean'
      : T extends string
        ? 'text'
        : never;

/** A field may be absent, but never null: a repeated creation could not tell the two apart. */
type Columns<Fields> = {
  readonly [Field in keyof Fields]-?: null extends Fields[Field]
    ? never
    : undefined extends Fields[Field]
      ? `${ColumnType<Exclude<Fields[Field], undefined>>}?`
      : ColumnType<Fields[Field]>;
};

/**
 * The columns in which a store keeps the fields of a pet. A question mark means that the field may be absent.
 * Stores follow this list, and a field that is missing here or has another type is a compile error.
 */
export const PET_COLUMNS: Columns<Pet> = {
  id: 'int64',
  name: 'text',
  categoryId: 'int64',
  status: 'text',
};

/** The columns of the fields that only operators see. */
export const ORIGIN_COLUMNS: Columns<Omit<StoredPet, keyof Pet>> = {
  addedAtMs: 'integer?',
  keyId: 'integer?',
};
