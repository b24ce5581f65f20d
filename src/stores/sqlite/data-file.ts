import { Database, type SQLiteError, type SQLQueryBindings } from 'bun:sqlite';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '#domain/error.ts';
import { cannotUseFile, FileError, isLocked, NAME_ANOTHER_FILE } from './sqlite-errors.ts';

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
    // Opening the file will report any other error.
    if ((error as { code?: string }).code !== 'ENOENT') return path;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink
    ? realPath(resolve(dirname(path), readlinkSync(path)))
    : join(realPath(dirname(path)), basename(path));
}

/** The first value of the first row. */
export function readValue(database: Database, query: string, ...values: SQLQueryBindings[]) {
  return database.query(query).values(...values)[0]?.[0];
}

/** Reads a page of the file, which `SELECT 1` would not do. */
export function readPage(database: Database): unknown {
  return readValue(database, 'SELECT count(*) FROM sqlite_schema');
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALT_BYTES = 8;
const LOOKS = 10;

/**
 * Returns a check that throws `FileError` if the open data file or its log was deleted, moved or replaced, or if
 * another program has cut the log. SQLite itself would notice none of this, and would continue to write to a
 * file that no path leads to. `link` is the path that the operator gave. The check takes some microseconds, and
 * about one more for each frame that the log has gained since the last check. The connection must not be in a
 * transaction when the check is called.
 *
 * A log consists of frames. Each frame is a page of a commit, and SQLite knows the frames only by its index. After
 * a cut, SQLite would add the next commit behind the gap, where no restart finds it, and the next checkpoint would
 * copy the gap into the data file. All frames carry the salt of the log's header. SQLite changes the salt whenever
 * it begins the log again, and it does so before it shortens the file itself. So a frame with another salt, or
 * beyond the end of the file, is lost. After a commit, the size of the file alone would not show this, because a
 * commit right after the cut makes the file as long as before. Of the frames that were there at the last check, only
 * the newest is read again, because a cut takes away the end. The log may be opened here, because SQLite never locks
 * it.
 */
export function fileCheck(database: Database, link = database.filename): () => void {
  const log = `${database.filename}-wal`;
  const files = [link, log, `${database.filename}-shm`];
  const opened = files.map((file) => ({ file, identity: identityOf(file) }));
  const frameBytes = FRAME_HEADER_BYTES + Number(readValue(database, 'PRAGMA page_size'));
  const frameStart = (place: number) => LOG_HEADER_BYTES + (place - 1) * frameBytes;
  const countFrames = database.query('PRAGMA wal_checkpoint(NOOP)');
  const salt = Buffer.alloc(SALT_BYTES);
  let checkedFrames = 0;

  function isLogWhole(): boolean {
    // The number is negative while another connection changes the index.
    const frames = Number(countFrames.values()[0]?.[1]);
    if (frames <= 0) return true;
    if (statSync(log).size < frameStart(frames + 1)) return false;
    // Without a new frame, nothing can have filled a gap, so the size is enough to show that there is none.
    if (frames === checkedFrames) return true;
    const descriptor = openSync(log, 'r');
    const readSalt = (start: number) => {
      readSync(descriptor, salt, 0, SALT_BYTES, start);
      return salt.readBigUInt64BE();
    };
    try {
      const saltOfLog = readSalt(16);
      const newestKnown = Math.max(1, Math.min(checkedFrames, frames));
      for (let place = newestKnown; place <= frames; place++) {
        if (readSalt(frameStart(place) + 8) !== saltOfLog) return false;
      }
      checkedFrames = frames;
      return true;
    } finally {
      closeSync(descriptor);
    }
  }

  return () => {
    for (const { file, identity } of opened) {
      if (identityOf(file) === identity) continue;
      const text = `${file} was deleted, moved or replaced while the service runs. `;
      throw new FileError(`${text}Put it back, or restart the service.`);
    }
    // Another connection may begin the log again during one of these looks, but hardly during all of them.
    for (let look = 0; look < LOOKS; look++) if (isLogWhole()) return;
    throw cannotUseFile(log, { code: 'SQLITE_IOERR_SHORT_READ', message: 'commits are missing' });
  };
}

/** A text that is the same for every path to one file. Undefined if there is no file, or if the disk fails. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Works even if one of the files, or both, do not exist yet. */
export function isSameFile(path: string, other: string): boolean {
  const identity = identityOf(path);
  return identity === undefined ? path === realPath(other) : identity === identityOf(other);
}

/** The longest wait for a command that holds the lock while it asks if the file is served. */
const COMMAND_MS = 500;

/**
 * Keeps a second service, and an upgrade, away from a file that is served. With two services, each would count
 * only its own part of the requests. The lock is one of SQLite's, on an empty file next to the data file, and the
 * system releases it when the process ends.
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
    throw isLocked(failure.code) ? alreadyServed(path) : cannotUseFile(lockPath, failure);
  }
}

/** Only reads the file of the lock, so that many commands can ask at the same time. */
export function isServed(path: string): boolean {
  const lockPath = `${path}-serving`;
  if (!existsSync(lockPath)) return false;
  try {
    using lock = new Database(lockPath, { readonly: true });
    readPage(lock);
    return false;
  } catch {
    return true;
  }
}

export function alreadyServed(path: string): OperatorError {
  return new OperatorError(
    `Another animal-store is serving ${path}. Stop it, or ${NAME_ANOTHER_FILE}`,
  );
}
