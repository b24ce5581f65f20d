import { Database, type SQLiteError } from 'bun:sqlite';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '#domain/error.ts';
import { sync } from '#stores/pending-file.ts';
import { noStore, requireCurrent, requireNotNewer } from '#stores/sql/version.ts';
import createStore from '../../../migrations/sqlite/0001_create_store.sql' with { type: 'text' };
import addOrigins from '../../../migrations/sqlite/0002_add_origins.sql' with { type: 'text' };
import addOperators from '../../../migrations/sqlite/0003_add_operators.sql' with { type: 'text' };
import createCounts from '../../../migrations/sqlite-usage/0001_create_usage.sql' with {
  type: 'text',
};
import { fileCheck, isServed, readPage, readValue } from './data-file.ts';
import { cannotUseFile, IF_COUNTS_ARE_UNUSABLE, NAME_ANOTHER_FILE } from './sqlite-errors.ts';

/** The data file, or the file of the limiter's counts next to it. */
interface FileKind {
  /** The end of its name, after that of the data file. */
  readonly suffix: string;
  /** Marks a file as ours. The first migration sets it. */
  readonly applicationId: number;
  /** The statements of each migration. */
  readonly migrations: readonly string[];
  readonly synchronous: 'FULL' | 'NORMAL';
  /** The next step for the operator, if the file is damaged or belongs to another program. */
  readonly ifUnusable: string;
}

export const DATA: FileKind = {
  suffix: '',
  applicationId: 0x616e6d6c,
  migrations: [createStore, addOrigins, addOperators],
  // A commit returns only after it is on disk, so it survives a power cut.
  synchronous: 'FULL',
  ifUnusable: `Restore a backup, or ${NAME_ANOTHER_FILE}`,
};

export const COUNTS: FileKind = {
  suffix: '-usage',
  applicationId: 0x616e6d75,
  migrations: [createCounts],
  // A power cut may lose the last commits, but never damages the file.
  synchronous: 'NORMAL',
  ifUnusable: IF_COUNTS_ARE_UNUSABLE,
};

const BUSY_TIMEOUT_MS = 5_000;
/** While a reader takes long, the log grows. Afterwards, it shrinks to this size. */
const MAX_IDLE_LOG_BYTES = 16 * 2 ** 20;

/**
 * Makes the folder of a new data file. Throws `OperatorError` if another file shows that there was a store: an
 * empty store in its place would look like a service that forgot everything. This must not open the data file,
 * because when a process closes any descriptor of a file, the system drops all locks that SQLite has on it.
 */
export function prepareFolder(path: string): void {
  if (Bun.file(path).size > 0) return;
  const rest = [`${path}-usage`, `${path}-wal`].filter((each) => existsSync(each));
  if (rest.length > 0) {
    const files = rest.join(' and ');
    throw new OperatorError(
      `The data file ${path} is missing or empty, but ${files} shows that there was a store. ` +
        `Put the file back or restore a backup. To begin a new store instead, delete ${files}.`,
    );
  }
  try {
    makeFolder(dirname(path));
  } catch (error) {
    throw cannotUseFile(path, error as Error);
  }
}

/** SQLite syncs the folder of its files. For a new folder, each folder above it must be synced as well. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder !== dirname(first); ) {
    folder = dirname(folder);
    sync(folder);
  }
}

/** The time that a starting service may take from locking the file to opening it. */
const START_MS = 500;

/** Throws `OperatorError` if there is no data file, or if a service uses it without its log or index. */
function requireFile(path: string): void {
  // This throws if the user may not see the file.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw noStore(path);
  const hasLog = () => existsSync(`${path}-wal`) && existsSync(`${path}-shm`);
  const startsUntilMs = performance.now() + START_MS;
  while (!hasLog() && isServed(path)) {
    if (performance.now() < startsUntilMs) Bun.sleepSync(START_MS / 50);
    // SQLite would make new files, and then both processes would overwrite each other's commits.
    else
      throw new OperatorError(`A service uses ${path} without its -wal or -shm file. Restart it.`);
  }
}

/** Opens a file of a store for a command, which neither creates nor migrates it. */
export function openExistingDatabase(store: string, kind = DATA): Database {
  return openDatabase(store, kind, requireCurrent);
}

/**
 * Opens a file of the store whose data file has this path, creates it if necessary, and migrates its schema. No other
 * service may use it. With `requireVersion`, it neither creates nor migrates the file.
 */
export function openDatabase(
  store: string,
  kind = DATA,
  requireVersion?: typeof requireCurrent,
): Database {
  const path = store + kind.suffix;
  const create = requireVersion === undefined;
  let database: Database | undefined;
  try {
    if (!create) requireFile(path);
    // Integers are bigints unless a statement says otherwise, because a number would round an int64.
    database = new Database(path, { create, readwrite: true, strict: true, safeIntegers: true });
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Checked before anything is changed: the file may belong to another program.
    if (!isOurs(database, kind)) {
      throw new OperatorError(`${path} belongs to another program. ${kind.ifUnusable}`);
    }
    requireVersion?.({
      version: readVersion(database),
      known: kind.migrations.length,
      store: path,
    });
    requireLog(database);
    database.run(`PRAGMA synchronous = ${kind.synchronous}`);
    database.run('PRAGMA foreign_keys = ON');
    database.run(`PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
    if (create) migrateFile(database, kind);
    // Another program may have cut the log, and a running service may not have noticed it yet.
    fileCheck(database)();
    return database;
  } catch (error) {
    // If the connection stayed open, the runtime would close it with the process, and SQLite would then move a
    // log that was cut into the data file.
    database?.close();
    throw error instanceof OperatorError
      ? error
      : cannotUseFile(path, error as SQLiteError, kind.ifUnusable);
  }
}

/** With a write-ahead log, readers and the writer do not wait for each other. */
function requireLog(database: Database): void {
  // SQLite silently keeps the mode if the file system cannot share memory.
  const mode = readValue(database, 'PRAGMA journal_mode = WAL');
  if (mode === 'wal') return;
  throw new OperatorError(
    `${database.filename} does not support journal_mode=WAL (it stays ${mode}). ` +
      'Name a file on a local disk with --database or DATABASE_URL.',
  );
}

/** Applies missing migrations. `user_version` is the number of those that were applied. */
export function migrateFile(database: Database, { migrations }: FileKind): void {
  const version = readVersion(database);
  if (version === migrations.length) return;
  const apply = database.transaction(() => {
    // Another process may have migrated the file meanwhile.
    const version = readVersion(database);
    requireNotNewer({ version, known: migrations.length, store: database.filename });
    for (const migration of migrations.slice(version)) database.run(migration);
    database.run(`PRAGMA user_version = ${migrations.length}`);
  });
  apply.immediate();
}

/** An empty file belongs to no program yet, so it counts as ours. */
export function isOurs(database: Database, { applicationId }: FileKind): boolean {
  const isEmpty = Number(readPage(database)) === 0;
  return isEmpty || Number(readValue(database, 'PRAGMA application_id')) === applicationId;
}

export function readVersion(database: Database): number {
  return Number(readValue(database, 'PRAGMA user_version'));
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
