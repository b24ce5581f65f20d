import { Database, SQLiteError } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import createStore from '../../migrations/sqlite/0001_create_store.sql' with { type: 'text' };
import countChanges from '../../migrations/sqlite/0002_count_changes.sql' with { type: 'text' };
import { OperatorError, storeUnavailable } from '../domain/error.ts';

const MIGRATIONS = [createStore, countChanges];
/** Set by the first migration. */
const APPLICATION_ID = 0x616e6d6c;
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the file, makes it if need be, and brings its schema up to date. `safeIntegers` returns
 * every integer as a bigint, without which int64 columns would be rounded.
 */
export function openDatabase(path: string, options: { safeIntegers: boolean }): Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path, { create: true, strict: true, ...options });
    configure(database);
    migrate(database);
    return database;
  } catch (error) {
    throw error instanceof OperatorError ? error : cannotOpen(path, error as Error);
  }
}

function cannotOpen(path: string, { code, message }: Error & { code?: string }): OperatorError {
  const advice =
    code === 'SQLITE_NOTADB'
      ? 'It is no data file of Animal Store. Set DATABASE_URL to another.'
      : 'Set DATABASE_URL to a place that can be written.';
  return new OperatorError(`Cannot open the data file ${path}: ${message}. ${advice}`);
}

function configure(database: Database): void {
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Readers and the writer do not wait for each other.
  requirePragma(database, 'journal_mode', 'WAL', 'wal');
  // Each commit is on the disk before it returns, so that no power cut takes it back.
  requirePragma(database, 'synchronous', 'FULL', '2');
  database.run('PRAGMA foreign_keys = ON');
}

/** Sets a pragma and reads it back, since SQLite ignores in silence what it cannot do. */
function requirePragma(database: Database, name: string, value: string, expected: string): void {
  database.query(`PRAGMA ${name} = ${value}`).get();
  const [[actual] = []] = database.query(`PRAGMA ${name}`).values();
  if (String(actual) === expected) return;
  throw new OperatorError(
    `The data file does not take ${name}=${value} (it stays ${actual}), so nothing stored in it ` +
      'would be safe. Set DATABASE_URL to a file on a local disk.',
  );
}

/** Applies what the file has not seen yet. `user_version` counts the migrations it has. */
function migrate(database: Database): void {
  if (readNumber(database, 'PRAGMA user_version') === MIGRATIONS.length) requireOurs(database);
  else database.transaction(() => bringUpToDate(database)).immediate();
}

function bringUpToDate(database: Database): void {
  const version = readNumber(database, 'PRAGMA user_version');
  const isEmpty = readNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isEmpty) requireOurs(database);
  if (version > MIGRATIONS.length) {
    throw new OperatorError('The data file was written by a newer Animal Store. Use that one.');
  }
  for (const sql of MIGRATIONS.slice(version)) database.run(sql);
  database.run(`PRAGMA user_version = ${MIGRATIONS.length}`);
}

function requireOurs(database: Database): void {
  if (readNumber(database, 'PRAGMA application_id') === APPLICATION_ID) return;
  throw new OperatorError(
    `${database.filename} holds the data of another program. Set DATABASE_URL to another file.`,
  );
}

function readNumber(database: Database, query: string): number {
  return Number(database.query(query).values()[0]?.[0]);
}

/** What SQLite reports when the file, the disk or a lock is at fault rather than the program. */
const OUT_OF_REACH = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/;

export function isOutOfReach(code: string): boolean {
  return OUT_OF_REACH.test(code);
}

/** Runs a query; a fault of the disk becomes `service_unavailable`, any other stays what it is. */
export function reading<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    if (error instanceof SQLiteError && isOutOfReach(error.code ?? ''))
      throw storeUnavailable(error);
    throw error;
  }
}
