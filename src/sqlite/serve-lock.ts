import { Database, type SQLiteError } from 'bun:sqlite';
import { OperatorError } from '../domain/error.ts';

/**
 * Keeps a second service from the same file, where each would count half of the requests. The lock
 * is SQLite's own, on an empty file next to the data: the system releases it with the process.
 */
export function lockForServing(path: string): Disposable {
  const lockPath = `${path}-serving`;
  try {
    const lock = new Database(lockPath, { create: true });
    lock.run('PRAGMA journal_mode = MEMORY');
    lock.run('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    const { code, message } = error as SQLiteError;
    throw new OperatorError(
      code === 'SQLITE_BUSY'
        ? `Another animal-store is serving ${path}. ` +
            'Stop it, or name another file with --database or DATABASE_URL.'
        : `Cannot lock ${lockPath}: ${message}.`,
    );
  }
}

/** Takes the lock for a moment, so ask only when the answer matters. */
export function isServed(path: string): boolean {
  try {
    lockForServing(path)[Symbol.dispose]();
    return false;
  } catch {
    return true;
  }
}
