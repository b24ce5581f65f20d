import { Database, SQLiteError } from 'bun:sqlite';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { OverwriteOption, RestoreOptions } from '../../domain/backend.ts';
import {
  noStore,
  OperatorError,
  StoreUnavailableError,
  writtenByNewerVersion,
} from '../../domain/error.ts';
import { MAX_ID } from '../../domain/int64.ts';
import { type Origin, storeChange } from '../../domain/operator/audit.ts';
import {
  RECORD_FIELDS,
  RECORD_KINDS,
  type RecordCounts,
  requireFreeIds,
} from '../../domain/operator/transfer.ts';
import { isOneOf, PendingFile, refused, sync, writing } from '../pending-file.ts';
import { AuditLog } from '../sql/audit.ts';
import { TABLES } from '../sql/tables.ts';
import { COUNT_ALL } from '../sql/transfer.ts';
import { alreadyServed, filesOf, isServed, lockForServing, SIDE_FILES } from './data-file.ts';
import { cannotOpen, DATA, makeFolder, migrate, newSchema, readNumber } from './database.ts';
import { SqliteSql } from './sql.ts';
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
  if (!existsSync(path)) throw noStore(`at ${path}`);
  const target = resolve(file);
  using pending = new PendingFile(target, { overwrite, except: filesOf(path) });
  // SQLite accepts an empty file. This one has the permissions of the store.
  writing(target, () => closeSync(openSync(pending.path, 'wx', statSync(path).mode)));
  const counts = await explaining(path, target, async () => {
    using source = openSource(path);
    source.run(`VACUUM INTO '${pending.path.replaceAll("'", "''")}'`);
    using copy = new Database(pending.path, { readwrite: true });
    return verify(copy, `The copy of ${path}`);
  });
  pending.commit();
  return counts;
}

function openSource(path: string): Database {
  try {
    const source = new Database(path, { readwrite: true });
    requireOurs(source, path);
    return source;
  } catch (error) {
    throw error instanceof SQLiteError ? cannotOpen(path, DATA, error) : error;
  }
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
  if (isServed(path)) throw alreadyServed(path);
  using _folder = writing(path, () => makeFolderToFill(dirname(path)));
  using pending = new PendingFile(path, { overwrite, except: [] });
  writing(path, () => {
    copyFileSync(backup, pending.path);
    giveToOwner(pending.path, path);
  });
  const counts = await explaining(backup, path, async () => {
    const copy = new Database(pending.path, { readwrite: true, strict: true, safeIntegers: true });
    await using database = new SqliteSql(copy);
    const counts = checkCopy(copy, path, backup);
    const audit = new AuditLog(database, origin, now);
    await database.transaction((sql) =>
      audit.record(sql, storeChange('store.restore', { file: backup, counts })),
    );
    return counts;
  });
  // After the checks, since the file of the lock stays.
  using _lock = lockForServing(path);
  writing(path, () => giveToOwner(`${path}-serving`, path));
  removeSideFiles(path);
  pending.commit();
  return counts;
}

/** Makes a folder, which is removed again if nothing is put in it. */
function makeFolderToFill(path: string): Disposable {
  const first = makeFolder(path);
  const remove = () => {
    if (first === undefined) return;
    for (let folder = path; folder !== dirname(first); folder = dirname(folder)) rmdirSync(folder);
  };
  return {
    [Symbol.dispose]() {
      try {
        remove();
      } catch {
        // It is not empty.
      }
    },
  };
}

/** The newest pets of a file in WAL mode may be in a log that was not copied with it. */
function requireRollbackJournal(backup: string): void {
  const header = readHeader(backup);
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

function readHeader(backup: string): Buffer {
  const header = Buffer.alloc(20);
  try {
    const descriptor = openSync(backup, 'r');
    readSync(descriptor, header, 0, header.length, 0);
    closeSync(descriptor);
    return header;
  } catch (error) {
    throw refused('read', backup, error);
  }
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
  requireOurs(database, backup);
  migrate(database, DATA);
  requireOurSchema(database, backup);
  const counts = verify(database, backup);
  requireSafeIds(database, backup);
  requireState(database, backup);
  requireSameEnvironment(path, database);
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
  using fresh = newSchema();
  const [actual, expected] = [schemaOf(database), schemaOf(fresh)];
  for (const [part, sql] of actual) {
    if (expected.get(part) === sql) expected.delete(part);
    else throw unlikeNew(name, part, expected.has(part) ? 'was changed' : 'was added');
  }
  for (const part of expected.keys()) throw unlikeNew(name, part, 'is missing');
}

/** The SQL of each table, index, trigger and view. Statistics, which ANALYZE adds, do no harm. */
function schemaOf(database: Database): Map<string, string> {
  const query = `SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema
    WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]')`;
  const parts = database.query<Record<'type' | 'name' | 'tableName' | 'sql', string>, []>(query);
  return new Map(
    parts.all().map(({ type, name, tableName, sql }) => {
      return [`${type} ${JSON.stringify(name)}`, `${tableName}: ${sql}`];
    }),
  );
}

function unlikeNew(name: string, part: string, difference: string): OperatorError {
  return new OperatorError(
    `${name} does not have the schema of a new store: the ${part} ${difference}. Undo that first.`,
  );
}

/** With a wrong last id, SQLite would use an id twice, or find none for a new pet. */
function requireSafeIds(database: Database, backup: string): void {
  for (const kind of RECORD_KINDS.filter((each) => RECORD_FIELDS[each].includes('id'))) {
    const table = TABLES[kind];
    const query = `SELECT ifnull((SELECT max(id) FROM ${table}), 0) AS greatest, ifnull(
      (SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = '${table}'), 0) AS last`;
    const ids = database.query<{ greatest: bigint; last: bigint }, []>(query).get();
    const { greatest, last } = ids as NonNullable<typeof ids>;
    if (greatest > last) {
      const problem = `${table} has the id ${greatest}, but its last id in sqlite_sequence is ${last}`;
      throw damaged(backup, problem);
    }
    if (kind === 'pet') requireFreeIds(last, backup);
    else if (last >= MAX_ID) throw damaged(backup, `${table} has used all ids up to ${MAX_ID}`);
  }
}

/** Otherwise the service would not start, or not notice changes: it reads the number as a double. */
function requireState(database: Database, backup: string): void {
  for (const table of ['store', 'revision']) {
    const rows = readNumber(database, `SELECT count(*) FROM ${table}`);
    if (rows !== 1) throw damaged(backup, `${table} has ${rows} rows instead of 1`);
  }
  const number = readNumber(database, 'SELECT number FROM revision');
  const hasRoom = number >= 0 && number < Number.MAX_SAFE_INTEGER / 2;
  if (!hasRoom)
    throw damaged(backup, `the number in revision, ${number}, leaves no room for changes`);
}

/** With the wrong file, --force would lose the data of a store that no service could use afterwards. */
function requireSameEnvironment(path: string, copy: Database): void {
  const [ofStore, ofBackup] = [environmentOf(path), readEnvironment(copy)];
  if (ofStore === undefined || ofBackup === undefined || ofStore === ofBackup) return;
  throw new OperatorError(
    `The backup is of ${ofBackup}, but the store belongs to ${ofStore}. Nothing was changed.`,
  );
}

/** Undefined if there is no store, if no service has used it, or if it is damaged. */
function environmentOf(path: string): string | undefined {
  try {
    using database = new Database(path, { readonly: true });
    return readEnvironment(database);
  } catch {
    return undefined;
  }
}

function readEnvironment(database: Database): string | undefined {
  const query = database.query<{ environment: string | null }, []>('SELECT environment FROM store');
  return query.get()?.environment ?? undefined;
}

function damaged(name: string, problem: string): OperatorError {
  return new OperatorError(`${name} is damaged: ${problem}.`);
}
