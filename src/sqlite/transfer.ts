import type { Database, SQLQueryBindings } from 'bun:sqlite';
import {
  type Export,
  RECORD_KINDS,
  type RecordCounts,
  requireEmpty,
  type StoreRecord,
  TABLES,
} from '../domain/transfer.ts';
import { openDatabase } from './database.ts';
import { lockForServing } from './serve-lock.ts';

export function exportSqlite(path: string): Export {
  const database = openDatabase(path, { safeIntegers: true });
  // The transaction stays open until the last record is read: all of them are of one moment.
  database.run('BEGIN');
  return {
    counts: countAll(database),
    records: readAll(database),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** Nothing may serve the file meanwhile. */
export async function importIntoSqlite(
  path: string,
  records: AsyncIterable<StoreRecord>,
): Promise<void> {
  using resources = new DisposableStack();
  const database = openDatabase(path, { safeIntegers: true });
  resources.defer(() => database.close());
  resources.use(lockForServing(path));
  database.run('BEGIN IMMEDIATE');
  try {
    requireEmpty(countAll(database));
    // A key may come before its successor.
    database.run('PRAGMA defer_foreign_keys = ON');
    const insert = prepareInserts(database);
    for await (const record of records) insert(record);
    database.run('COMMIT');
  } catch (error) {
    database.run('ROLLBACK');
    throw error;
  }
}

function countAll(database: Database): RecordCounts {
  const counts = RECORD_KINDS.map((kind) => {
    const query = `SELECT count(*) FROM ${TABLES[kind].name}`;
    return [kind, Number(database.query(query).values()[0]?.[0])];
  });
  return Object.fromEntries(counts);
}

async function* readAll(database: Database): AsyncIterable<StoreRecord> {
  for (const kind of RECORD_KINDS) {
    const { name, columns } = TABLES[kind];
    const fields = Object.entries(columns).map(
      ([field, column]) => `${column === 'hash' ? 'lower(hex(hash))' : column} AS ${field}`,
    );
    const query = database.query<object, []>(`SELECT ${fields} FROM ${name} ORDER BY 1, 2`);
    for (const row of query.iterate()) {
      yield { kind, value: kind === 'pet' ? row : withNumbers(row) } as StoreRecord;
    }
  }
  database.run('COMMIT');
}

/** The connection returns bigints, which only the ids of pets need. */
function withNumbers(row: object): object {
  const entries = Object.entries(row).map(([field, value]) => [
    field,
    typeof value === 'bigint' && field !== 'petId' ? Number(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function prepareInserts(database: Database): (record: StoreRecord) => void {
  const inserts = new Map(
    RECORD_KINDS.map((kind) => {
      const { name, columns } = TABLES[kind];
      const fields = Object.keys(columns);
      const insert = database.query(
        `INSERT INTO ${name} (${Object.values(columns)}) VALUES (${fields.map(() => '?')})`,
      );
      return [
        kind,
        (record: Readonly<Record<string, SQLQueryBindings>>) =>
          insert.run(...fields.map((field) => toColumn(field, record[field]))),
      ];
    }),
  );
  return ({ kind, value }) => inserts.get(kind)?.(value);
}

function toColumn(field: string, value: SQLQueryBindings = null): SQLQueryBindings {
  return field === 'hash' ? Uint8Array.fromHex(String(value)) : value;
}
