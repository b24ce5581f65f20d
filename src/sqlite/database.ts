import { Database, SQLiteError } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import createStore from '../../migrations/sqlite/0001_create_store.sql' with { type: 'text' };
import countChanges from '../../migrations/sqlite/0002_count_changes.sql' with { type: 'text' };
import { OperatorError, StoreUnavailableError } from '../domain/error.ts';

const MIGRATIONS = [createStore, countChanges];
/** Set by the first migration. */
const APPLICATION_ID = 0x616e6d6c;
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the file, creates it if necessary, and migrates its schema. `safeIntegers` returns every
 * integer as a bigint, without which int64 columns would be rounded.
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
      ? 'It is not an Animal Store data file. Set DATABASE_URL to another file.'
      : 'Set DATABASE_URL to a writable file.';
  return new OperatorError(`Cannot open the data file ${path}: ${message}. ${advice}`);
}

function configure(database: Database): void {
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Readers and the writer do not wait for each other.
  requirePragma(database, 'journal_mode', 'WAL', 'wal');
  // A commit returns only after it is on disk, so it survives a power cut.
  requirePragma(database, 'synchronous', 'FULL', '2');
  database.run('PRAGMA foreign_keys = ON');
}

/** Sets a pragma and reads it back, since SQLite silently ignores what it cannot do. */
function requirePragma(database: Database, name: string, value: string, expected: string): void {
  database.query(`PRAGMA ${name} = ${value}`).get();
  const [[actual] = []] = database.query(`PRAGMA ${name}`).values();
  if (String(actual) === expected) return;
  throw new OperatorError(
    `The data file does not support ${name}=${value} (it stays ${actual}) and could lose data. ` +
      'Set DATABASE_URL to a file on a local disk.',
  );
}

/** Applies missing migrations. `user_version` counts those already applied. */
function migrate(database: Database): void {
  if (readNumber(database, 'PRAGMA user_version') === MIGRATIONS.length) requireOurs(database);
  else database.transaction(() => applyMigrations(database)).immediate();
}

function applyMigrations(database: Database): void {
  const version = readNumber(database, 'PRAGMA user_version');
  const isEmpty = readNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isEmpty) requireOurs(database);
  if (version > MIGRATIONS.length) {
    throw new OperatorError(
      'A newer version of Animal Store wrote this data file. Use that version.',
    );
  }
  for (const sql of MIGRATIONS.slice(version)) database.run(sql);
  database.run(`PRAGMA user_version = ${MIGRATIONS.length}`);
}

function requireOurs(database: Database): void {
  if (readNumber(database, 'PRAGMA application_id') === APPLICATION_ID) return;
  throw new OperatorError(
    `${database.filename} belongs to another program. Set DATABASE_URL to another file.`,
  );
}

function readNumber(database: Database, query: string): number {
  return Number(database.query(query).values()[0]?.[0]);
}

/** SQLite's codes for trouble with the file, the disk or a lock, not with the program. */
const UNAVAILABLE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/;

export function isUnavailable(code: string): boolean {
  return UNAVAILABLE.test(code);
}

/** Runs a query. Throws `StoreUnavailableError` when the file cannot be used right now. */
export function reading<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    const isAway = error instanceof SQLiteError && isUnavailable(error.code ?? '');
    throw isAway ? new StoreUnavailableError(error) : error;
  }
}
