import { Database, SQLiteError } from 'bun:sqlite';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { OverwriteOption, RestoreOptions } from '../../domain/backend.ts';
import { OperatorError, StoreUnavailableError, writtenByNewerVersion } from '../../domain/error.ts';
import { type Origin, storeChange } from '../../domain/operator/audit.ts';
import type { RecordCounts } from '../../domain/operator/transfer.ts';
import { auditLog } from '../sql/audit.ts';
import { COUNT_ALL } from '../sql/transfer.ts';
import { alreadyServed, filesOf, isServed, lockForServing, SIDE_FILES } from './data-file.ts';
import { DATA, makeFolder, migrate, openForBackup, readNumber } from './database.ts';
import { isOneOf, pendingFile, sync, toFile } from './pending-file.ts';
import { sqliteSql } from './sql.ts';
import { isDamaged, isUnavailable } from './sqlite-errors.ts';

/**
 * VACUUM INTO reads one moment of the store page by page, so it needs little memory and never blocks
 * a writer. It neither migrates the store nor includes the limiter's counts.
 */
export async function backupSqlite(
  path: string,
  file: string,
  { overwrite }: OverwriteOption,
): Promise<RecordCounts> {
  using source = openForBackup(path);
  const target = resolve(file);
  using pending = pendingFile(target, { overwrite, except: filesOf(path) });
  // SQLite accepts an empty file. This one has the permissions of the store.
  toFile('write', target, () => closeSync(openSync(pending.path, 'wx', statSync(path).mode)));
  const counts = await explaining(path, target, async () => {
    source.run(`VACUUM INTO '${pending.path.replaceAll("'", "''")}'`);
    using copy = new Database(pending.path, { readwrite: true });
    return verify(copy, `The copy of ${path}`);
  });
  pending.commit();
  return counts;
}

/** At every moment there is the old store or the new one, even if the process is killed. */
export async function restoreSqlite(
  path: string,
  file: string,
  { overwrite, create }: RestoreOptions,
  origin: Origin,
  now: () => number,
): Promise<RecordCounts> {
  const backup = resolve(file);
  if (!existsSync(backup) || statSync(backup).isDirectory()) {
    throw new OperatorError(`The backup file ${backup} does not exist.`);
  }
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
  if (isServed(path)) throw alreadyServed(path);
  toFile('write', path, () => makeFolder(dirname(path)));
  using pending = pendingFile(path, { overwrite, except: [] });
  toFile('copy', `${backup} to ${path}`, () => copyFileSync(backup, pending.path));
  toFile('write', path, () => giveToOwner(pending.path, path));
  const counts = await explaining(backup, path, async () => {
    const copy = new Database(pending.path, { readwrite: true, strict: true, safeIntegers: true });
    await using database = sqliteSql(copy);
    const counts = checkCopy(copy, path, backup);
    const audit = auditLog(database, origin, now);
    await database.transaction((sql) =>
      audit.record(sql, storeChange('store.restore', { file: backup, counts })),
    );
    return counts;
  });
  // After the checks, since the file of the lock stays.
  using _lock = lockForServing(path);
  toFile('write', path, () => giveToOwner(`${path}-serving`, path));
  removeSideFiles(path);
  pending.commit();
  return counts;
}

/** The newest pets of a file in WAL mode may be in a log that was not copied with it. */
function requireRollbackJournal(database: Database, backup: string): void {
  const [[mode] = []] = database.query('PRAGMA journal_mode').values();
  if (mode !== 'wal') return;
  throw new OperatorError(
    `${backup} is a data file that a service has used, not a backup, and may lack the newest pets. ` +
      'Make a backup with "store backup".',
  );
}

/** A new file is only for its owner. Root must not take the store away from the user of the service. */
function giveToOwner(file: string, path: string): void {
  const replaced = statSync(path, { throwIfNoEntry: false });
  const { uid, gid } = replaced ?? statSync(dirname(path));
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  chmodSync(file, replaced === undefined ? 0o600 : replaced.mode & 0o777);
}

/** Upgrades the copy of a backup, and checks that it is like a new store. */
function checkCopy(database: Database, path: string, backup: string): RecordCounts {
  requireRollbackJournal(database, backup);
  requireOurs(database, backup);
  migrate(database, DATA);
  requireOurSchema(database, backup);
  const counts = verify(database, backup);
  requireSameEnvironment(path, database);
  // No service runs that may have cached anything, so the count of changes starts again.
  database.run('DELETE FROM revision; INSERT INTO revision (number) VALUES (0)');
  return counts;
}

/** Runs what copies a store. Throws `OperatorError` if the source is damaged or the target not writable. */
async function explaining<T>(source: string, target: string, copy: () => Promise<T>): Promise<T> {
  try {
    return await copy();
  } catch (error) {
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    if (!(cause instanceof SQLiteError)) throw error;
    const { code = '', message } = cause;
    if (isDamaged(code) || !isUnavailable(code)) throw damaged(source, message);
    throw new OperatorError(`Cannot write ${target}: ${message}.`);
  }
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

/**
 * Throws `OperatorError` if the store is damaged. Errors call it `name`. The connection must be
 * able to write: otherwise SQLite does not evaluate CHECK constraints.
 */
function verify(database: Database, name: string): RecordCounts {
  const [[problem] = []] = database.query('PRAGMA integrity_check(1)').values();
  if (problem !== 'ok') throw damaged(name, String(problem));
  if (database.query('PRAGMA foreign_key_check').values().length > 0) {
    throw damaged(name, 'a reference is broken');
  }
  const counts = database.query<RecordCounts, []>(COUNT_ALL).safeIntegers(false).get();
  return counts as RecordCounts;
}

function requireOurs(database: Database, name: string): void {
  if (readNumber(database, 'PRAGMA application_id') !== DATA.applicationId) {
    throw new OperatorError(`${name} is not an Animal Store data file.`);
  }
  if (readNumber(database, 'PRAGMA user_version') > DATA.migrations.length) {
    throw writtenByNewerVersion(name);
  }
}

/** With a trigger of somebody else, the service would confirm another pet than it stores. */
function requireOurSchema(database: Database, name: string): void {
  using fresh = new Database(':memory:');
  migrate(fresh, DATA);
  const [difference] = schemaOf(database).symmetricDifference(schemaOf(fresh));
  if (difference === undefined) return;
  const [part] = difference.split('\n');
  throw new OperatorError(
    `${name} does not have the schema of a new store: the ${part} was added, changed or removed. ` +
      'Undo that first.',
  );
}

/** Each table, index, trigger and view with its SQL. Statistics, which ANALYZE adds, do no harm. */
function schemaOf(database: Database): Set<string> {
  const query = `SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema
    WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]')`;
  const parts = database.query<Record<'type' | 'name' | 'tableName' | 'sql', string>, []>(query);
  return new Set(
    parts.all().map(({ type, name, tableName, sql }) => {
      return `${type} ${JSON.stringify(name)}\n${tableName}\n${sql}`;
    }),
  );
}

/** With the wrong file, --force would lose the data of a store that no service could use afterwards. */
function requireSameEnvironment(path: string, copy: Database): void {
  const ofBackup = environmentIn(copy);
  const ofStore = environmentOf(path);
  if (!ofStore || !ofBackup || ofStore === ofBackup) return;
  throw new OperatorError(
    `The backup is of ${ofBackup}, but the store belongs to ${ofStore}. Nothing was changed.`,
  );
}

/** Undefined if there is no store, if no service has used it, or if it is damaged. */
function environmentOf(path: string): string | null | undefined {
  try {
    using database = new Database(path, { readonly: true });
    return environmentIn(database);
  } catch {
    return undefined;
  }
}

function environmentIn(database: Database): string | null | undefined {
  const select = 'SELECT environment FROM store';
  return database.query<{ environment: string | null }, []>(select).get()?.environment;
}

function damaged(name: string, problem: string): OperatorError {
  return new OperatorError(`${name} is damaged: ${problem}.`);
}
