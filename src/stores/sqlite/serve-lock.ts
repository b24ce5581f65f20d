import { Database, type SQLiteError } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { OperatorError } from '../../domain/error.ts';

/** A command may be asking if the file is served. */
const COMMAND_MS = 500;

/**
 * Keeps a second service from the same file, where each would count half of the requests, and an
 * upgrade from a file that is served. The lock is SQLite's own, on an empty file next to the data. The
 * system releases it with the process.
 */
export function lockForServing(path: string): Disposable {
  const lockPath = `${path}-serving`;
  try {
    const lock = new Database(lockPath, { create: true });
    lock.run(`PRAGMA busy_timeout = ${COMMAND_MS}`);
    lock.run('PRAGMA journal_mode = MEMORY');
    lock.run('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    const { code, message } = error as SQLiteError;
    throw code === 'SQLITE_BUSY'
      ? alreadyServed(path)
      : new OperatorError(`Cannot lock ${lockPath}: ${message}.`);
  }
}

/** Only reads, so that many commands can ask at the same time. */
export function isServed(path: string): boolean {
  const lockPath = `${path}-serving`;
  if (!existsSync(lockPath)) return false;
  try {
    using lock = new Database(lockPath, { readonly: true });
    lock.query('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch {
    return true;
  }
}

export function alreadyServed(path: string): OperatorError {
  return new OperatorError(
    `Another animal-store is serving ${path}. ` +
      'Stop it, or name another file with --database or DATABASE_URL.',
  );
}
