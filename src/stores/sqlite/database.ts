import { Database, type SQLiteError } from 'bun:sqlite';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import createStore from '../../../migrations/sqlite/0001_create_store.sql' with { type: 'text' };
import addOrigins from '../../../migrations/sqlite/0002_add_origins.sql' with { type: 'text' };
import createCounts from '../../../migrations/sqlite-usage/0001_create_usage.sql' with {
  type: 'text',
};
import { OperatorError } from '../../domain/error.ts';
import { sync } from '../pending-file.ts';
import { noStore, requireCurrent, requireNotNewer } from '../sql/version.ts';
import { fileCheck, isServed } from './data-file.ts';
import { cannotUseFile, IF_COUNTS_ARE_DAMAGED } from './sqlite-errors.ts';

/** The data file, or the file of the limiter's counts next to it. */
interface FileKind {
  /** Set by the first migration. */
  readonly applicationId: number;
  /** As SQL. */
  readonly migrations: readonly string[];
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Statements return integers as bigints unless they say otherwise. Doubles would round an int64. */
  readonly safeIntegers: boolean;
  /** The next step for the operator, if the file is damaged, or of another program. */
  readonly ifDamaged: string;
  readonly ifForeign: string;
}

export const DATA: FileKind = {
  applicationId: 0x616e6d6c,
  migrations: [createStore, addOrigins],
  // A commit returns only after it is on disk, so it survives a power cut.
  synchronous: 'FULL',
  safeIntegers: true,
  ifDamaged: 'Restore a backup, or name another file with --database or DATABASE_URL.',
  ifForeign: 'Name another file with --database or DATABASE_URL.',
};

const COUNTS: FileKind = {
  applicationId: 0x616e6d75,
  migrations: [createCounts],
  // A power cut may lose the last commits. It never corrupts the file.
  synchronous: 'NORMAL',
  safeIntegers: false,
  ifDamaged: IF_COUNTS_ARE_DAMAGED,
  ifForeign: 'Move it away: that loses at most the counts and bans of today.',
};

const BUSY_TIMEOUT_MS = 5_000;
/** A long reader makes the log grow. Once it has ended, the log shrinks to this size. */
const MAX_IDLE_LOG_BYTES = 16 * 2 ** 20;

/**
 * Makes the folder of a new data file. Throws `OperatorError` if another file shows that there was a
 * store. It does not open the data file: when a process closes any descriptor of a file, the system
 * drops all locks that SQLite has on it.
 */
export function prepareFolder(path: string): void {
  if (Bun.file(path).size > 0) return;
  const rest = [`${path}-usage`, `${path}-wal`].filter((each) => existsSync(each));
  if (rest.length > 0) throw lost(path, rest.join(' and '));
  try {
    makeFolder(dirname(path));
  } catch (error) {
    throw cannotUseFile(path, error as Error);
  }
}

/** SQLite syncs the folder of its files. A new folder also needs a sync of each folder above it. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder !== dirname(first); ) {
    folder = dirname(folder);
    sync(folder);
  }
}

/** Opens the data file, creates it if necessary, and migrates its schema. Nothing may serve it. */
export function openDatabase(path: string): Database {
  return open(path, DATA);
}

/** A service that starts locks the file before it opens it. */
const START_MS = 500;

function requireFile(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) throw noStore(path);
  } catch (error) {
    // A file that this user may not see.
    throw error instanceof OperatorError ? error : cannotUseFile(path, error as Error);
  }
  const hasLog = () => existsSync(`${path}-wal`) && existsSync(`${path}-shm`);
  const startsUntilMs = performance.now() + START_MS;
  while (!hasLog() && isServed(path)) {
    if (performance.now() < startsUntilMs) Bun.sleepSync(START_MS / 50);
    // SQLite would make new files, and then both processes would overwrite each other's commits.
    else
      throw new OperatorError(`A service uses ${path} without its -wal or -shm file. Restart it.`);
  }
}

/** Opens the data file for a command, which neither creates nor migrates it. */
export function openExistingDatabase(path: string, requireVersion = requireCurrent): Database {
  requireFile(path);
  return open(path, DATA, requireVersion);
}

export function openCountsDatabase(path: string): Database {
  return open(`${path}-usage`, COUNTS);
}

/** Undefined if nothing was counted yet. */
export function openExistingCountsDatabase(path: string): Database | undefined {
  const countsPath = `${path}-usage`;
  if (Bun.file(countsPath).size === 0) return undefined;
  return open(countsPath, COUNTS, requireCurrent);
}

function open(path: string, kind: FileKind, requireVersion?: typeof requireCurrent): Database {
  const create = requireVersion === undefined;
  let database: Database | undefined;
  try {
    const options = { create, readwrite: true, strict: true, safeIntegers: kind.safeIntegers };
    database = new Database(path, options);
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Checked before anything is changed: the file may belong to another program.
    if (!isOurs(database, kind)) {
      throw new OperatorError(`${path} belongs to another program. ${kind.ifForeign}`);
    }
    requireVersion?.(readVersion(database), kind.migrations.length, path);
    requireLog(database);
    database.run(`PRAGMA synchronous = ${kind.synchronous}`);
    database.run('PRAGMA foreign_keys = ON');
    database.run(`PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
    if (create) migrateFile(database, kind);
    // The log may have been cut, and a service that runs may not have noticed it yet.
    fileCheck(database)();
    return database;
  } catch (error) {
    // At the end of the process, the runtime would move a log that was cut into the file of an open connection.
    database?.close();
    throw error instanceof OperatorError
      ? error
      : cannotUseFile(path, error as SQLiteError, kind.ifDamaged);
  }
}

/** With a write-ahead log, readers and the writer do not wait for each other. */
function requireLog(database: Database): void {
  // SQLite silently keeps the mode if the file system cannot share memory.
  const [[mode] = []] = database.query('PRAGMA journal_mode = WAL').values();
  if (mode === 'wal') return;
  throw new OperatorError(
    `${database.filename} does not support journal_mode=WAL (it stays ${mode}). ` +
      'Name a file on a local disk with --database or DATABASE_URL.',
  );
}

/** Applies missing migrations. `user_version` counts those already applied. */
export function migrateFile(database: Database, { migrations }: FileKind): void {
  const version = readVersion(database);
  if (version === migrations.length) return;
  const apply = database.transaction(() => {
    // Another process may have migrated the file meanwhile.
    const version = readVersion(database);
    requireNotNewer(version, migrations.length, database.filename);
    for (const migration of migrations.slice(version)) database.run(migration);
    database.run(`PRAGMA user_version = ${migrations.length}`);
  });
  apply.immediate();
}

/** An empty store in the place of a lost one would look like a service that forgot everything. */
function lost(path: string, rest: string): OperatorError {
  return new OperatorError(
    `The data file ${path} is missing or empty, but ${rest} shows that there was a store. ` +
      `Put the file back or restore a backup. To begin a new store instead, delete ${rest}.`,
  );
}

/** An empty file is nobody's yet. */
export function isOurs(database: Database, { applicationId }: FileKind): boolean {
  const isEmpty = readNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  return isEmpty || readNumber(database, 'PRAGMA application_id') === applicationId;
}

export function readVersion(database: Database): number {
  return readNumber(database, 'PRAGMA user_version');
}

function readNumber(database: Database, query: string): number {
  return Number(database.query(query).values()[0]?.[0]);
}

/** Runs a query that fails at once if another connection locks the file. */
export function withoutWaiting(database: Database, query: () => void): void {
  database.run('PRAGMA busy_timeout = 0');
  try {
    query();
  } finally {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
