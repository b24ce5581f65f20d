/** Differences between SQLite and PostgreSQL. */
export interface Dialect {
  /** Ends the query of a row that is about to change. */
  readonly lock: '' | 'FOR UPDATE';
  /** Names in the order of the alphabet, with an index. */
  readonly nameOrder: string;
  /** A condition with the value `$1`, for names that contain a text in letters of either case. */
  readonly nameContains: (text: string) => { readonly condition: string; readonly value: string };
}
