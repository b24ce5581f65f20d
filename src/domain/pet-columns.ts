import type { Pet } from './pet.ts';

/** A type without a column, such as a list, is a compile error. */
type ColumnType<T> = T extends bigint
  ? 'int64'
  : T extends number
    ? 'integer'
    : T extends boolean
      ? 'boolean'
      : T extends string
        ? 'text'
        : never;

/**
 * How a store keeps each field. A field that may be absent has a question mark. Stores and samples
 * follow this list, and a field that is missing or has another type is a compile error. Without Zod,
 * because pages in the browser read it too.
 */
export const PET_COLUMNS: {
  readonly [Field in keyof Pet]-?: undefined extends Pet[Field]
    ? `${ColumnType<Exclude<Pet[Field], undefined>>}?`
    : ColumnType<Pet[Field]>;
} = { id: 'int64', name: 'text', categoryId: 'int64', status: 'text' };
