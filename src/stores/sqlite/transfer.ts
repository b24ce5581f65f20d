import type { Database } from 'bun:sqlite';
import { notExported, notImported } from '../../domain/environment.ts';
import { storeImportChange } from '../../domain/operator/audit.ts';
import {
  type Export,
  missingRecord,
  RECORD_FIELDS,
  RECORD_KINDS,
  type RecordCounts,
  type RecordKind,
  repeatedRecord,
  requireEmpty,
  requireFreeIds,
  type StoreRecord,
} from '../../domain/operator/transfer.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import { belongsToStaging } from '../sql/staging-store.ts';
import {
  COUNT_ALL,
  columnOf,
  selectRecords,
  TABLES,
  toRecord,
  withNumbers,
} from '../sql/tables.ts';
import { openDatabase, openExistingDatabase, prepareFolder } from './database.ts';
import { runSteps } from './run-steps.ts';
import { lockForServing } from './serve-lock.ts';

export function exportSqlite(path: string): Export {
  const database = openExistingDatabase(path, { safeIntegers: true });
  // The transaction stays open until the last record is read: all of them are of one moment.
  database.run('BEGIN');
  if (runSteps(database, belongsToStaging())) {
    database.close();
    throw notExported();
  }
  return {
    counts: countAll(database),
    lastPetId: readLastPetId(database),
    records: readAll(database),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** Nothing may serve the file meanwhile. */
export async function importIntoSqlite(
  path: string,
  records: AsyncIterable<StoreRecord>,
  lastPetId: bigint,
  audit: AuditLog,
): Promise<void> {
  requireFreeIds(lastPetId);
  prepareFolder(path);
  using _lock = lockForServing(path);
  using database = openDatabase(path, { safeIntegers: true });
  database.run('BEGIN IMMEDIATE');
  // The first line is the header.
  let lineNumber = 1;
  try {
    if (runSteps(database, belongsToStaging())) throw notImported();
    requireEmpty(countAll(database));
    // A key may come before its successor.
    database.run('PRAGMA defer_foreign_keys = ON');
    const inserts = new Map(RECORD_KINDS.map((kind) => [kind, prepareInsert(database, kind)]));
    for await (const { kind, value } of records) {
      lineNumber++;
      inserts.get(kind)?.run(value);
    }
    continuePetIds(database, lastPetId);
    requireFreeIds(readLastPetId(database));
    runSteps(database, audit.record(storeImportChange(countAll(database))));
    database.run('COMMIT');
  } catch (error) {
    database.run('ROLLBACK');
    const { code = '' } = error as { code?: string };
    if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(code))
      throw repeatedRecord(lineNumber);
    throw code === 'SQLITE_CONSTRAINT_FOREIGNKEY' ? missingRecord() : error;
  }
}

function countAll(database: Database): RecordCounts {
  const row = database.query<RecordCounts, []>(COUNT_ALL).get();
  return withNumbers(row as RecordCounts);
}

/** The greatest id that a pet ever had. */
export function readLastPetId(database: Database): bigint {
  const query = "SELECT seq FROM sqlite_sequence WHERE name = 'pets'";
  return database.query<{ seq: bigint }, []>(query).get()?.seq ?? 0n;
}

/** An id is never used again, not even that of a removed pet. */
function continuePetIds(database: Database, last: bigint): void {
  if (last <= readLastPetId(database)) return;
  database.run("DELETE FROM sqlite_sequence WHERE name = 'pets'");
  database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [last]);
}

async function* readAll(database: Database): AsyncIterable<StoreRecord> {
  for (const kind of RECORD_KINDS) {
    for (const row of database.query<object, []>(selectRecords(kind)).iterate()) {
      yield toRecord(kind, row);
    }
  }
  database.run('COMMIT');
}

function prepareInsert(database: Database, kind: RecordKind) {
  const fields = RECORD_FIELDS[kind];
  const values = fields.map((field) => (field === 'hash' ? 'unhex($hash)' : `$${field}`));
  return database.query<never, Record<string, string | number | bigint | null>>(
    `INSERT INTO ${TABLES[kind]} (${fields.map(columnOf)}) VALUES (${values})`,
  );
}
