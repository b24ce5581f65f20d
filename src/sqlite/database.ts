import { Database, SQLiteError } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import createStore from '../../migrations/sqlite/0001_create_store.sql' with { type: 'text' };
import countChanges from '../../migrations/sqlite/0002_count_changes.sql' with { type: 'text' };
import dropUsage from '../../migrations/sqlite/0003_drop_usage.sql' with { type: 'text' };
import addAudit from '../../migrations/sqlite/0004_audit.sql' with { type: 'text' };
import createUsage from '../../migrations/sqlite-usage/0001_create_usage.sql' with { type: 'text' };
import { OperatorError, StoreUnavailableError, writtenByNewerVersion } from '../domain/error.ts';
import { lockForServing } from './serve-lock.ts';

type Migration = (database: Database) => void;

/** The data file, or the file of the limiter's counts next to it. */
interface FileKind {
  /** Set by the first migration. */
  readonly applicationId: number;
  readonly migrations: readonly Migration[];
  readonly synchronous: readonly [value: string, expected: string];
  /** For an operator whose file is damaged or belongs to another program. */
  readonly advice: string;
}

export const DATA: FileKind = {
  applicationId: 0x616e6d6c,
  migrations: [createData, runSql(countChanges), moveUsage, runSql(addAudit)],
  // A commit returns only after it is on disk, so it survives a power cut.
  synchronous: ['FULL', '2'],
  advice: 'Set DATABASE_URL to another file.',
};

const USAGE: FileKind = {
  applicationId: 0x616e6d75,
  migrations: [runSql(createUsage)],
  // A power cut may lose the last commits. It never corrupts the file.
  synchronous: ['NORMAL', '1'],
  advice:
    'Move it away: Animal Store keeps the counts of its limiter there, and can start without them.',
};

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the data file, creates it if necessary, and migrates its schema. `safeIntegers` returns
 * every integer as a bigint, without which int64 columns would be rounded.
 */
export function openDatabase(path: string, options: { safeIntegers: boolean }): Database {
  return open(path, DATA, options);
}

export function openUsageDatabase(path: string): Database {
  return open(`${path}-usage`, USAGE, { safeIntegers: false });
}

function open(path: string, kind: FileKind, options: { safeIntegers: boolean }): Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path, { create: true, strict: true, ...options });
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Readers and the writer do not wait for each other.
    requirePragma(database, 'journal_mode', 'WAL', 'wal');
    requirePragma(database, 'synchronous', ...kind.synchronous);
    database.run('PRAGMA foreign_keys = ON');
    migrate(database, kind);
    return database;
  } catch (error) {
    throw error instanceof OperatorError ? error : cannotOpen(path, kind, error as Error);
  }
}

function runSql(sql: string): Migration {
  return (database) => database.run(sql);
}

/** A new data file must not inherit the counts and bans of a deleted one. */
function createData(data: Database): void {
  data.run(createStore);
  const usage = openUsageDatabase(data.filename);
  usage.run('DELETE FROM usage');
  usage.run('DELETE FROM penalties');
  usage.close();
}

/** If this is interrupted, it is done again: the copy replaces rows that are already there. */
function moveUsage(data: Database): void {
  const usage = openUsageDatabase(data.filename);
  // The copy must be on disk before the original is dropped.
  usage.run('PRAGMA synchronous = FULL');
  const copy = usage.transaction(() => {
    for (const table of ['usage', 'penalties']) {
      for (const row of data.query(`SELECT * FROM ${table}`).values()) {
        const places = row.map(() => '?').join(', ');
        usage.query(`INSERT OR REPLACE INTO ${table} VALUES (${places})`).run(...row);
      }
    }
  });
  copy.immediate();
  usage.close();
  data.run(dropUsage);
}

function cannotOpen(
  path: string,
  { advice }: FileKind,
  { code, message }: Error & { code?: string },
): OperatorError {
  const isDamaged = code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT';
  const next = isDamaged
    ? `It is not an Animal Store file. ${advice}`
    : 'Set DATABASE_URL to a writable file.';
  return new OperatorError(`Cannot open the data file ${path}: ${message}. ${next}`);
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
function migrate(database: Database, kind: FileKind): void {
  const { migrations } = kind;
  const readVersion = () => readNumber(database, 'PRAGMA user_version');
  const isCurrent = readVersion() === migrations.length;
  const isNew = !isCurrent && readNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isNew) requireOurs(database, kind);
  if (isCurrent) return;
  // A service of the previous version must not lose its tables while it runs.
  using _lock = isNew ? undefined : lockForServing(database.filename);
  const apply = database.transaction(() => {
    // Another process may have migrated the file meanwhile.
    const version = readVersion();
    if (version > migrations.length) throw writtenByNewerVersion('data file');
    for (const migration of migrations.slice(version)) migration(database);
    database.run(`PRAGMA user_version = ${migrations.length}`);
  });
  apply.immediate();
}

function requireOurs(database: Database, { applicationId, advice }: FileKind): void {
  if (readNumber(database, 'PRAGMA application_id') === applicationId) return;
  throw new OperatorError(`${database.filename} belongs to another program. ${advice}`);
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
