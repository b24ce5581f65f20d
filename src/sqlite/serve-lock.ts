import { Database } from 'bun:sqlite';
import { OperatorError } from '../domain/error.ts';

/**
 * Keeps a second service off the same file, where each would count half of the requests. The lock
 * is SQLite's own on an empty file beside the data: the system drops it with the process.
 */
export function lockForServing(path: string): Disposable {
  const lock = new Database(`${path}-serving`, { create: true });
  try {
    lock.run('PRAGMA journal_mode = MEMORY');
    lock.run('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new OperatorError(
      `Another animal-store is serving ${path}. Stop it, or set DATABASE_URL to another file.`,
    );
  }
  return { [Symbol.dispose]: () => lock.close() };
}
