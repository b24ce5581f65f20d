import type { RecordKind } from '#domain/operator/transfer.ts';

export const TABLES: Readonly<Record<RecordKind, string>> = {
  account: 'accounts',
  key: 'api_keys',
  pet: 'pets',
  idempotencyKey: 'idempotency_keys',
  auditEntry: 'audit',
  usagePeriod: 'usage_periods',
  keyUse: 'key_uses',
};

export type Value = string | number | bigint | boolean | Uint8Array | null;

/** Statements with `$1`, `$2` and so on for their values. Throws `StoreUnavailableError`. */
export interface Sql {
  /** Returns all rows. Integers are numbers. */
  all<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  /** Returns all rows. Integers of 64 bits are bigints, as pets need them. */
  allExact<Row>(text: string, ...values: Value[]): Promise<Row[]>;
}

/** All tables as they were at one moment. */
export interface Snapshot extends Sql, AsyncDisposable {
  /** Reads the rows in bounded memory. Integers of 64 bits are bigints. */
  rows<Row>(text: string): AsyncIterable<Row>;
}

/**
 * A database, for everything that is not in the path of a request: `sqliteSql` or `postgresSql`. Both run the same
 * statements.
 */
export interface SqlDatabase extends Sql, AsyncDisposable {
  /** Like `all`, for a query that may take longer than a request. Requests do not wait for it. */
  report<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  /** Runs all statements of `change` or none. `change` must not wait for anything else. */
  transaction<T>(change: (sql: Sql) => Promise<T>): Promise<T>;
  /** Like `transaction`, without a time limit. Nothing is locked at first, so `change` may wait for its input. */
  longTransaction<T>(change: (sql: Sql) => Promise<T>): Promise<T>;
  snapshot(): Promise<Snapshot>;

  // SQLite and PostgreSQL differ in the following.

  /** Locks rows that are about to change, at the end of the query that reads them. */
  readonly forUpdate: '' | 'FOR NO KEY UPDATE';
  /** Locks out creations until the end of the transaction. */
  readonly lockCreations: string;
  /** Locks out all changes until the end of the transaction. */
  readonly lockAll: string;
  /** A query for the greatest `id` that a row of the table ever had. */
  selectLastId(table: string): string;
  /** Makes the next row of the table get an id greater than `lastId`. */
  continueIds(sql: Sql, table: string, lastId: bigint | number): Promise<void>;
  /** The number of accounts that one report may cover. */
  readonly accountsPerSum: number;
  /** Returns how long an import of pets may make running services wait. This is infinite if no service runs. */
  maxLockedMs(sql: Sql): Promise<number>;
  /** Returns true if a statement or a commit violated a constraint. */
  isViolation(error: unknown): boolean;
}

/** Runs a query for one `id`. Returns 0 if there is none. */
export async function readId(sql: Sql, select: string): Promise<bigint> {
  const [row] = await sql.allExact<{ id: bigint | null }>(select);
  return row?.id ?? 0n;
}

/** Columns that are named differently from their fields, because version 1.1.0 reads them by these names. */
const OTHER_NAMES: Readonly<Record<string, string>> = { clockSetToMs: 'clock_put_to' };

/**
 * The column of a field: `accountId` is in `account_id`. Columns have no unit in their names, so `createdAtMs` is in
 * `created_at`. Every column of a time is in milliseconds.
 */
export function columnOf(field: string): string {
  const snakeCase = field
    .replace(/Ms$/, '')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return OTHER_NAMES[field] ?? snakeCase;
}

/** Selects columns under the names of their fields. */
export function selectList(fields: readonly string[], prefix = ''): string {
  return fields.map((field) => `${prefix}${columnOf(field)} AS "${field}"`).join(', ');
}

/** Collects the values of a statement whose text is put together from parts. */
export class Values {
  readonly list: Value[] = [];

  /** Returns the place of the value, such as `$3`. */
  add = (value: Value): string => `$${this.list.push(value)}`;
}

/** The greatest number of values in a statement, far below the limits of both databases. */
const MAX_VALUES = 9_000;

/** The values of a row, by the names of their fields. */
export type Fields = Readonly<Record<string, Value | undefined>>;

/** Inserts rows in as few statements as possible. */
export async function insert(
  sql: Sql,
  table: string,
  rows: readonly Fields[],
  fields = Object.keys(rows[0] ?? {}),
): Promise<void> {
  const perStatement = Math.floor(MAX_VALUES / fields.length);
  for (let start = 0; start < rows.length; start += perStatement) {
    const values = new Values();
    const places = rows
      .slice(start, start + perStatement)
      .map((row) => `(${fields.map((field) => values.add(row[field] ?? null))})`);
    const text = `INSERT INTO ${table} (${fields.map(columnOf)}) VALUES ${places}`;
    await sql.all(text, ...values.list);
  }
}

export async function update(sql: Sql, table: string, id: number, fields: Fields): Promise<void> {
  const values = new Values();
  const columns = Object.entries(fields).map(
    ([field, value]) => `${columnOf(field)} = ${values.add(value ?? null)}`,
  );
  await sql.all(`UPDATE ${table} SET ${columns} WHERE id = ${values.add(id)}`, ...values.list);
}

/** The SHA-256 hash. Stores keep the hash of a secret, and never the secret. */
export function hashSecret(secret: string): Uint8Array {
  return Bun.SHA256.hash(secret, new Uint8Array(32)) as Uint8Array;
}

/** The pause after a slice takes this many times as long as the slice. */
const PAUSES = 3;
/** Only requests of this process wait for a read. After a short read, requests come first even without a pause. */
const SHORT_READ_MS = 2;

/** Ends when the last read and its pause have ended. */
let lastRead: Promise<unknown> = Promise.resolve();

/**
 * Does a short slice of work in the background, and then pauses so that requests come first. A slice waits for earlier
 * reads, so that all readers together take a quarter of the time. It does not wait for writes, which may wait long for
 * a lock. Requests of other processes may wait for the lock of a write. SQLite tries to get a lock only now and then, so
 * if the pause were short, some of them would find the lock taken again and again.
 */
export function inSlice<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
  const slice = lastRead.then(async () => {
    const startedAtMs = performance.now();
    const result = await work();
    const tookMs = performance.now() - startedAtMs;
    const needsPause = kind === 'write' || tookMs >= SHORT_READ_MS;
    await (needsPause ? Bun.sleep(PAUSES * tookMs) : new Promise(setImmediate));
    return result;
  });
  if (kind === 'read') lastRead = slice.catch(() => {});
  return slice;
}
