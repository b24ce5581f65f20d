import { Database, type SQLiteError } from 'bun:sqlite';
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import { cannotUse, isLocked } from './sqlite-errors.ts';

/** The data file and all files next to it. */
export function filesOf(path: string): string[] {
  const suffixes = ['', '-wal', '-shm', '-usage', '-usage-wal', '-usage-shm', '-serving'];
  return suffixes.map((suffix) => `${path}${suffix}`);
}

/** The path without symbolic links, even if the file does not exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    // Opening the file reports anything else.
    if ((error as { code?: string }).code !== 'ENOENT') return path;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink
    ? realPath(resolve(dirname(path), readlinkSync(path)))
    : join(realPath(dirname(path)), basename(path));
}

/**
 * Notices that the open data file or its log was deleted, moved or replaced. SQLite itself would go on
 * writing to a file that no path leads to. The file must be open, in WAL mode. `link` is the path that
 * the operator gave. The returned check throws `StoreUnavailableError`, and takes some microseconds.
 */
export function fileCheck(path: string, link: string): () => void {
  const files = [link, `${path}-wal`, `${path}-shm`];
  const opened = files.map((file) => ({ file, identity: identityOf(file) }));
  return () => {
    for (const { file, identity } of opened) {
      if (identityOf(file) === identity) continue;
      const text = `${file} was deleted, moved or replaced while the service runs. `;
      throw new StoreUnavailableError(new Error(`${text}Put it back, or restart the service.`));
    }
  };
}

/** The same for every path that leads to one file. Undefined if there is none, or the disk fails. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Also if one of them, or both, do not exist yet. */
export function isSameFile(path: string, other: string): boolean {
  const identity = identityOf(path);
  return identity === undefined ? path === realPath(other) : identity === identityOf(other);
}

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
    const failure = error as SQLiteError;
    throw isLocked(failure.code) ? alreadyServed(path) : cannotUse(lockPath, failure);
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
