import { Database, SQLiteError } from 'bun:sqlite';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BEFORE_RESTORE, type FileBackups } from '#domain/backend.ts';
import { OperatorError, StoreUnavailableError } from '#domain/error.ts';
import { changeOf } from '#domain/operator/audit.ts';
import type { RecordCounts } from '#domain/operator/transfer.ts';
import { pendingFile, sync } from '#stores/pending-file.ts';
import { type ChangeOptions, changer } from '#stores/sql/audit.ts';
import { COUNT_ALL } from '#stores/sql/transfer.ts';
import { requireKnown, requireNotNewer } from '#stores/sql/version.ts';
import {
  alreadyServed,
  filesOf,
  isSameFile,
  isServed,
  lockForServing,
  readValue,
} from './data-file.ts';
import { DATA, isOurs, makeFolder, migrateFile, openDatabase, readVersion } from './database.ts';
import { sqliteSql } from './sql.ts';
import { cannotUseFile, isDamaged, isLocked, isUnavailable } from './sqlite-errors.ts';

/** Syncing this much at once does not delay commits noticeably. */
const MAX_AT_ONCE_BYTES = 32 * 2 ** 20;

/**
 * VACUUM INTO reads the store as it was at one moment, page by page, so it needs little memory and never blocks
 * a writer. A backup does not migrate the store, and does not include the limiter's counts.
 */
export function backupSqlite(path: string, options: ChangeOptions): FileBackups['backup'] {
  return (file, { force }) => {
    const target = resolve(file);
    const startedAtMs = performance.now();
    return copying(path, target, async () => {
      using source = openDatabase(path, DATA, requireKnown);
      if (filesOf(path).some((own) => isSameFile(own, target))) {
        throw new OperatorError(`${target} belongs to the store itself.`);
      }
      const requireReplaceable = () =>
        force || requireMissing(target, `${target} already exists. To replace it, add --force.`);
      requireReplaceable();
      using pending = pendingFile(target);
      // SQLite writes into an empty file, so the copy gets the permissions of the store.
      writeFileSync(pending.path, '');
      chmodSync(pending.path, statSync(path).mode);
      {
        using _copying = followCopy(pending.path, statSync(path).size);
        source.run(`VACUUM INTO '${pending.path.replaceAll("'", "''")}'`);
      }
      using copy = new Database(pending.path);
      const counts = verify(copy, `The copy of ${path}`);
      requireReplaceable();
      pending.commit();
      const seconds = Math.ceil((performance.now() - startedAtMs) / 1000);
      const made = { bytes: statSync(target).size, seconds };
      const change = changer(sqliteSql(source), options);
      const recording = change(async () => [
        true,
        changeOf('store.backup', 'store', undefined, made),
      ]);
      // A store that cannot be written has been backed up nevertheless.
      return { counts, isAudited: await recording.catch(() => false) };
    });
  };
}

/** At every moment the old store or the new one is in place, even if the process is killed. */
export function restoreSqlite(path: string, options: ChangeOptions): FileBackups['restore'] {
  return (file, { force, create }) => {
    const backup = resolve(file);
    return copying(backup, path, async () => {
      if (!statSync(backup, { throwIfNoEntry: false })?.isFile()) {
        throw new OperatorError(`The backup ${backup} does not exist, or is not a file.`);
      }
      if (isSameFile(path, backup)) throw new OperatorError('The backup is the store itself.');
      const requireReplaceable = () =>
        force ||
        requireMissing(
          path,
          `The store ${path} already exists. To replace it and lose its data, add --force. ${BEFORE_RESTORE}`,
        );
      requireReplaceable();
      if (!create && !existsSync(path)) {
        throw new OperatorError(
          `There is no store at ${path}. To create it from the backup, add --create.`,
        );
      }
      if (isServed(path)) throw alreadyServed(path);
      makeFolder(dirname(path));
      using pending = pendingFile(path);
      {
        using _copying = followCopy(pending.path, statSync(backup).size);
        copyFileSync(backup, pending.path);
      }
      giveToOwner(pending.path, path);
      const counts = await upgrade(pending.path, backup, path, options);
      // Locked only now, because the file of the lock stays even if the backup is refused.
      using _lock = lockForServing(path);
      giveToOwner(`${path}-serving`, path);
      requireReplaceable();
      removeSideFiles(path);
      pending.commit();
      return counts;
    });
  };
}

function requireMissing(path: string, advice: string): void {
  if (existsSync(path)) throw new OperatorError(advice);
}

/** Runs a function that copies a file. Throws `OperatorError` if the source is damaged or the target not writable. */
async function copying<T>(source: string, target: string, copy: () => Promise<T>): Promise<T> {
  try {
    return await copy();
  } catch (error) {
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    const failure = cause as NodeJS.ErrnoException;
    const { code, message } = failure;
    if (code === undefined || cause instanceof OperatorError) throw cause;
    const isOfSource = cause instanceof SQLiteError && (isDamaged(code) || !isUnavailable(code));
    if (isOfSource) throw damaged(source, message);
    // The system names the source of a copy even if there is no space for the target.
    const refused = failure.path === source && code !== 'ENOSPC' ? source : target;
    throw cannotUseFile(refused, failure);
  }
}

/** Syncs and shows a file while it grows to this size. */
function followCopy(path: string, bytes: number): Disposable | undefined {
  if (bytes <= MAX_AT_ONCE_BYTES) return undefined;
  const worker = new Worker(new URL('./copy-worker.ts', import.meta.url), { smol: true });
  worker.postMessage([path, bytes]);
  return { [Symbol.dispose]: () => worker.terminate() };
}

/**
 * Gives a file the owner and the permissions of the store, so that the user of the service can open it after a
 * restore by root. A new store is readable only for its owner.
 */
function giveToOwner(file: string, store: string): void {
  const replaced = statSync(store, { throwIfNoEntry: false });
  const { uid, gid } = replaced ?? statSync(dirname(store));
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  chmodSync(file, replaced === undefined ? 0o600 : replaced.mode & 0o777);
}

/** Checks and upgrades the copy of a backup, and records the restore in its audit. */
async function upgrade(
  copy: string,
  source: string,
  target: string,
  options: ChangeOptions,
): Promise<RecordCounts> {
  const file = new Database(copy);
  await using database = sqliteSql(file);
  // A file in WAL mode may lack its newest pets, which are in a log that was not copied with it.
  if (readValue(file, 'PRAGMA journal_mode') === 'wal') {
    throw new OperatorError(
      `${source} is a data file that a service has used, not a backup, and may lack the newest pets. ` +
        'Make a backup with "store backup".',
    );
  }
  if (!isOurs(file, DATA) || readVersion(file) === 0) {
    throw new OperatorError(`${source} is not an Animal Store data file.`);
  }
  requireNotNewer({ version: readVersion(file), known: DATA.migrations.length, store: source });
  requireNoForeignCode(file, source);
  migrateFile(file, DATA);
  const counts = verify(file, source);
  requireSameEnvironment(target, copy);
  const restored = { file: source, counts };
  const change = changer(database, options);
  return await change(async () => [
    counts,
    changeOf('store.restore', 'store', undefined, restored),
  ]);
}

/**
 * Triggers and views of a backup would run in the restored store. Tables of other programs, such as Litestream, do
 * no harm.
 */
function requireNoForeignCode(database: Database, backup: string): void {
  // SQLite keeps the text of the statement that created them, and ours are in the migrations.
  const query = `SELECT type || ' "' || name || '"' FROM sqlite_schema
    WHERE type IN ('trigger', 'view') AND instr(?, sql) = 0`;
  const foreign = readValue(database, query, DATA.migrations.join());
  if (foreign === undefined) return;
  throw new OperatorError(
    `${backup} has the ${foreign}, which is not part of Animal Store. Remove it from the backup with ` +
      'another SQLite program. Nothing was changed.',
  );
}

/**
 * Removes the log of the old store, which SQLite would apply to the new one, and the limiter's counts, which belong
 * to the old accounts and keys.
 */
function removeSideFiles(path: string): void {
  if (existsSync(path)) foldLog(path);
  for (const file of filesOf(path)) {
    if (file !== path && file !== `${path}-serving`) rmSync(file, { force: true });
  }
  sync(dirname(path));
}

function foldLog(path: string): void {
  try {
    using old = new Database(path);
    // This moves the log into the data file. It fails while another process uses the store.
    readValue(old, 'PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (isLocked((error as SQLiteError).code)) {
      throw new OperatorError(`Another program uses ${path}. Stop it first. Nothing was changed.`);
    }
    // The old store is damaged, which may be the reason for the restore.
  }
}

/**
 * Throws `OperatorError` if the store, which messages call `name`, is damaged. The connection must be able to
 * write, because SQLite does not evaluate CHECK constraints otherwise.
 */
function verify(database: Database, name: string): RecordCounts {
  const problem = readValue(database, 'PRAGMA integrity_check(1)');
  if (problem !== 'ok') throw damaged(name, String(problem));
  if (readValue(database, 'PRAGMA foreign_key_check')) throw damaged(name, 'a reference is broken');
  return database.query<RecordCounts, []>(COUNT_ALL).get() as RecordCounts;
}

/** A store of the other environment could not be used by the service, and --force would lose its old data. */
function requireSameEnvironment(store: string, copy: string): void {
  const ofStore = environmentIn(store);
  const ofBackup = environmentIn(copy);
  if (!ofStore || !ofBackup || ofStore === ofBackup) return;
  throw new OperatorError(
    `The backup is of ${ofBackup}, but the store belongs to ${ofStore}. Nothing was changed.`,
  );
}

/** Undefined if there is no store, or if it is damaged. Null if no service has used it. */
function environmentIn(path: string): unknown {
  try {
    using database = new Database(path, { readonly: true });
    return readValue(database, 'SELECT environment FROM store');
  } catch {
    return undefined;
  }
}

function damaged(name: string, problem: string): OperatorError {
  return new OperatorError(`${name} is damaged: ${problem}.`);
}
