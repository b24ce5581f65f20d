import { Database, SQLiteError } from 'bun:sqlite';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { OverwriteOption } from '../domain/backend.ts';
import { OperatorError, writtenByNewerVersion } from '../domain/error.ts';
import { RECORD_KINDS, type RecordCounts } from '../domain/transfer.ts';
import { TABLES } from '../sql/tables.ts';
import { DATA } from './database.ts';
import { lockForServing } from './serve-lock.ts';

/** What a backup contains. An older version of the schema lacks some tables. */
type Counts = Partial<RecordCounts>;

/**
 * VACUUM INTO reads one moment of the store page by page, so it needs little memory and never blocks
 * a writer. It neither migrates the store nor includes the limiter's counts.
 */
export function backupSqlite(path: string, file: string, { overwrite }: OverwriteOption): Counts {
  const target = resolve(file);
  if (!existsSync(path)) {
    throw new OperatorError(`The data file ${path} does not exist. Check DATABASE_URL.`);
  }
  if (target === path) throw new OperatorError('A backup cannot replace the store itself.');
  if (!overwrite && existsSync(target)) throw fileExists(target);
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { force: true });
    // SQLite accepts an empty file. Nobody may read the backup who cannot read the store.
    closeSync(openSync(partial, 'wx', statSync(path).mode));
    using source = new Database(path, { readwrite: true });
    requireOurs(source, path);
    source.run(`VACUUM INTO '${partial.replaceAll("'", "''")}'`);
    sync(partial);
    const counts = verify(partial);
    // Somebody else may have written the file meanwhile.
    if (!overwrite && existsSync(target)) throw fileExists(target);
    renameSync(partial, target);
    sync(dirname(target));
    return counts;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** At every moment there is the old store or the new one, even if the process is killed. */
export function restoreSqlite(path: string, file: string, { overwrite }: OverwriteOption): Counts {
  const backup = resolve(file);
  if (!existsSync(backup)) throw new OperatorError(`The backup ${backup} does not exist.`);
  if (backup === path) throw new OperatorError('The backup is the store itself.');
  mkdirSync(dirname(path), { recursive: true });
  using _lock = lockForServing(path);
  const exists = existsSync(path);
  if (exists && !overwrite) {
    throw new OperatorError(
      `The store ${path} already exists. To replace it and lose its data, add --force.`,
    );
  }
  const partial = `${path}-restoring`;
  try {
    rmSync(partial, { force: true });
    copyFileSync(backup, partial);
    sync(partial);
    const counts = verify(partial, backup);
    putAside(path);
    renameSync(partial, path);
    sync(dirname(path));
    return counts;
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * SQLite would apply the write-ahead log of the old store to the new one. The limiter's counts belong
 * to the old accounts and keys.
 */
function putAside(path: string): void {
  try {
    using old = new Database(path, { readwrite: true });
    // Moves the log into the data file. Fails while another process uses the store.
    old.query('PRAGMA journal_mode = DELETE').get();
  } catch (error) {
    if ((error as SQLiteError).code?.startsWith('SQLITE_BUSY')) {
      throw new OperatorError(`Another program uses ${path}. End it first. Nothing was changed.`);
    }
    // The old store is damaged, which may be why it is replaced.
  }
  for (const suffix of ['-wal', '-shm', '-usage', '-usage-wal', '-usage-shm']) {
    rmSync(`${path}${suffix}`, { force: true });
  }
  sync(dirname(path));
}

/** Throws `OperatorError` unless the file is a sound store. Errors call it `name`. */
function verify(file: string, name = file): Counts {
  try {
    using database = new Database(file, { readonly: true });
    requireOurs(database, name);
    if (numberOf(database, 'PRAGMA user_version') > DATA.migrations.length) {
      throw writtenByNewerVersion(name);
    }
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
  if (numberOf(database, 'PRAGMA application_id') === DATA.applicationId) return;
  throw new OperatorError(`${name} is not an Animal Store data file.`);
}

function countTables(database: Database): Counts {
  const tables = database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values();
  const present = RECORD_KINDS.filter((kind) => tables.some(([name]) => name === TABLES[kind]));
  const counts = present.map((kind) => [
    kind,
    numberOf(database, `SELECT count(*) FROM ${TABLES[kind]}`),
  ]);
  return Object.fromEntries(counts);
}

function numberOf(database: Database, query: string): number {
  return Number(database.query(query).values()[0]?.[0]);
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function damaged(name: string, problem: string): OperatorError {
  return new OperatorError(`${name} is damaged: ${problem}.`);
}

function fileExists(file: string): OperatorError {
  return new OperatorError(`${file} already exists. To replace it, add --force.`);
}
