import { Database, SQLiteError } from 'bun:sqlite';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Change, storeRestoreChange } from '../domain/audit.ts';
import type { OverwriteOption, RestoreOptions } from '../domain/backend.ts';
import { noStore, OperatorError, writtenByNewerVersion } from '../domain/error.ts';
import { RECORD_KINDS, type RecordCounts, requireFreeIds } from '../domain/transfer.ts';
import { isOneOf, PendingFile, sync } from '../files/pending-file.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import { TABLES } from '../sql/tables.ts';
import { DATA, openDatabase, readNumber, requireOneLog } from './database.ts';
import { runSteps } from './run-steps.ts';
import { lockForServing } from './serve-lock.ts';
import { readLastPetId } from './transfer.ts';

/** What a backup contains. An older version of the schema lacks some tables. */
type BackupCounts = Partial<RecordCounts>;

/** What follows the name of the data file in the names of the others. */
const SIDE_FILES = ['-wal', '-shm', '-usage', '-usage-wal', '-usage-shm', '-serving'];

/** The data file and all files next to it. */
export function filesOf(path: string): string[] {
  return ['', ...SIDE_FILES].map((suffix) => `${path}${suffix}`);
}

/**
 * VACUUM INTO reads one moment of the store page by page, so it needs little memory and never blocks
 * a writer. It neither migrates the store nor includes the limiter's counts.
 */
export function backupSqlite(
  path: string,
  file: string,
  { overwrite }: OverwriteOption,
): BackupCounts {
  if (!existsSync(path)) throw noStore(`at ${path}`);
  requireOneLog(path);
  const target = resolve(file);
  using pending = new PendingFile(target, { overwrite, except: filesOf(path) });
  // SQLite accepts an empty file. This one has the permissions of the store.
  closeSync(openSync(pending.path, 'wx', statSync(path).mode));
  using source = new Database(path, { readwrite: true });
  requireOurs(source, path);
  try {
    source.run(`VACUUM INTO '${pending.path.replaceAll("'", "''")}'`);
  } catch (error) {
    throw new OperatorError(`Cannot write ${target}: ${(error as Error).message}.`);
  }
  const counts = verify(pending.path, target);
  pending.commit();
  return counts;
}

/** At every moment there is the old store or the new one, even if the process is killed. */
export function restoreSqlite(
  path: string,
  file: string,
  { overwrite, create }: RestoreOptions,
  audit: AuditLog,
): BackupCounts {
  const backup = resolve(file);
  if (!existsSync(backup)) throw new OperatorError(`The backup ${backup} does not exist.`);
  if (isOneOf(backup, [path])) throw new OperatorError('The backup is the store itself.');
  const exists = existsSync(path);
  if (exists && !overwrite) {
    throw new OperatorError(
      `The store ${path} already exists. To replace it and lose its data, add --force.`,
    );
  }
  if (!exists && !create) {
    throw new OperatorError(
      `There is no store at ${path}. To create it from the backup, add --create.`,
    );
  }
  requireRollbackJournal(backup);
  // Checked before anything is created, and below as a copy.
  verify(backup);
  requireFreeIdsIn(backup);
  if (exists) requireSameEnvironment(path, backup);
  mkdirSync(dirname(path), { recursive: true });
  using _lock = lockForServing(path);
  using pending = new PendingFile(path, { overwrite, except: [] });
  copyFileSync(backup, pending.path);
  giveToOwner(pending.path, path);
  giveToOwner(`${path}-serving`, path);
  const counts = verify(pending.path, backup);
  recordRestore(pending.path, audit, storeRestoreChange(backup, counts));
  removeSideFiles(path);
  pending.commit();
  return counts;
}

/** Upgrades the copy first: the audit of an older version may lack columns, or does not exist. */
function recordRestore(copy: string, audit: AuditLog, change: Change): void {
  {
    using database = openDatabase(copy, { safeIntegers: false });
    database.transaction(() => runSteps(database, audit.record(change)))();
    // Moves the log into the copy.
    database.query('PRAGMA journal_mode = DELETE').get();
  }
  for (const suffix of SIDE_FILES) rmSync(`${copy}${suffix}`, { force: true });
}

/** The newest pets of a file in WAL mode may be in a log that was not copied with it. */
function requireRollbackJournal(backup: string): void {
  const header = Buffer.alloc(20);
  const descriptor = openSync(backup, 'r');
  readSync(descriptor, header, 0, header.length, 0);
  closeSync(descriptor);
  if (!header.toString('latin1').startsWith('SQLite format 3')) {
    throw new OperatorError(`${backup} is not a backup.`);
  }
  const WAL = 2;
  if (header[18] !== WAL) return;
  throw new OperatorError(
    `${backup} is a data file that a service has used, not a backup, and may lack the newest pets. ` +
      'Make a backup with "store backup".',
  );
}

/** Root must not take the store away from the user of the service. */
function giveToOwner(file: string, path: string): void {
  const { uid, gid, mode } = statSync(existsSync(path) ? path : dirname(path));
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  chmodSync(file, mode & 0o666);
}

/**
 * SQLite would apply the write-ahead log of the old store to the new one. The limiter's counts belong
 * to the old accounts and keys.
 */
function removeSideFiles(path: string): void {
  if (existsSync(path)) foldLog(path);
  for (const suffix of SIDE_FILES) {
    if (suffix !== '-serving') rmSync(`${path}${suffix}`, { force: true });
  }
  sync(dirname(path));
}

function foldLog(path: string): void {
  try {
    using old = new Database(path, { readwrite: true });
    // Moves the log into the data file. Fails while another process uses the store.
    old.query('PRAGMA journal_mode = DELETE').get();
  } catch (error) {
    if ((error as SQLiteError).code?.startsWith('SQLITE_BUSY')) {
      throw new OperatorError(`Another program uses ${path}. Stop it first. Nothing was changed.`);
    }
    // The old store is damaged, which may be why it is replaced.
  }
}

/** Throws `OperatorError` unless the file is a sound store. Errors call it `name`. */
function verify(file: string, name = file): BackupCounts {
  try {
    using database = new Database(file, { readonly: true });
    requireOurs(database, name);
    const [[problem] = []] = database.query('PRAGMA integrity_check(1)').values();
    if (problem !== 'ok') throw damaged(name, String(problem));
    if (database.query('PRAGMA foreign_key_check').values().length > 0) {
      throw damaged(name, 'a reference is broken');
    }
    return countTables(database);
  } catch (error) {
    throw error instanceof SQLiteError ? damaged(name, error.message) : error;
  }
}

function requireOurs(database: Database, name: string): void {
  if (readNumber(database, 'PRAGMA application_id') !== DATA.applicationId) {
    throw new OperatorError(`${name} is not an Animal Store data file.`);
  }
  if (readNumber(database, 'PRAGMA user_version') > DATA.migrations.length) {
    throw writtenByNewerVersion(name);
  }
}

function requireFreeIdsIn(backup: string): void {
  using database = new Database(backup, { readonly: true, safeIntegers: true });
  requireFreeIds(readLastPetId(database), backup);
}

/** With the wrong file, --force would lose the data of a store that no service could use afterwards. */
function requireSameEnvironment(path: string, backup: string): void {
  const [ofStore, ofBackup] = [environmentOf(path), environmentOf(backup)];
  if (ofStore === undefined || ofBackup === undefined || ofStore === ofBackup) return;
  throw new OperatorError(
    `The backup is of ${ofBackup}, but the store belongs to ${ofStore}. Nothing was changed.`,
  );
}

/** Undefined if no service of this version has used the store, or if it is damaged. */
function environmentOf(file: string): string | undefined {
  try {
    using database = new Database(file, { readonly: true });
    const row = database.query<{ environment: string | null }, []>('SELECT environment FROM store');
    return row.get()?.environment ?? undefined;
  } catch {
    return undefined;
  }
}

function countTables(database: Database): BackupCounts {
  const tables = database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values();
  const present = RECORD_KINDS.filter((kind) => tables.some(([name]) => name === TABLES[kind]));
  const counts = present.map((kind) => [
    kind,
    readNumber(database, `SELECT count(*) FROM ${TABLES[kind]}`),
  ]);
  return Object.fromEntries(counts);
}

function damaged(name: string, problem: string): OperatorError {
  return new OperatorError(`${name} is damaged: ${problem}.`);
}
