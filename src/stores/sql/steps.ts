export type Value = string | number | bigint | Uint8Array | null;

export interface Statement {
  /** With `$1`, `$2` and so on for its values. */
  readonly sql: string;
  readonly values: readonly Value[];
}

/**
 * A transaction, written once for both databases: it yields statements and receives their rows. SQLite
 * runs it without a pause, and PostgreSQL waits for each statement.
 */
export type Steps<T> = Generator<Statement, T, readonly unknown[]>;

/** A database, which runs steps. Throws `StoreUnavailableError`. */
export interface StepRunner {
  read<T>(steps: Steps<T>): Promise<T>;
  /** In one transaction: all steps or none. */
  commit<T>(steps: Steps<T>): Promise<T>;
}

/** One step: `yield*` it. */
export function* query<Row>(sql: string, ...values: Value[]): Steps<readonly Row[]> {
  return (yield { sql, values }) as readonly Row[];
}
