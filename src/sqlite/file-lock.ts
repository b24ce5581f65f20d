import { dlopen, FFIType } from 'bun:ffi';
import { openSync } from 'node:fs';

const SHARED_LOCK = 1;
const LOCK = 2;
const DO_NOT_WAIT = 4;
const UNLOCK = 8;

/** The C library of glibc. musl answers to the same name. */
const LIBRARY = 'libc.so.6';

const RETRY_MS = 10;

/**
 * Locks the file itself with flock(2), so that a second path to it leads to the same lock. Undefined
 * if another process keeps it. Does nothing where flock does not exist or would block SQLite.
 */
export function tryLockFile(path: string, waitMs: number): Disposable | undefined {
  const flock = loadFlock();
  if (flock === undefined) return { [Symbol.dispose]() {} };
  const descriptor = openForever(path);
  const unlock = () => flock(descriptor, UNLOCK) === 0;
  const lock = () => flock(descriptor, LOCK | DO_NOT_WAIT) === 0;
  let isLocked = lock();
  for (let waitedMs = 0; !isLocked && waitedMs < waitMs; waitedMs += RETRY_MS) {
    Bun.sleepSync(RETRY_MS);
    isLocked = lock();
  }
  // Where flock works, it can always unlock. Where it does not, the file is used without it.
  if (!isLocked && unlock()) return undefined;
  return { [Symbol.dispose]: unlock };
}

/** Another process has locked the file. False where flock does not exist. */
export function isFileLocked(path: string): boolean {
  const flock = loadFlock();
  if (flock === undefined) return false;
  const descriptor = openForever(path);
  const isFree = flock(descriptor, SHARED_LOCK | DO_NOT_WAIT) === 0;
  return flock(descriptor, UNLOCK) === 0 && !isFree;
}

/** Closing any descriptor of a file would drop all locks that SQLite has on it. */
function openForever(path: string): number {
  return openSync(path, 'r');
}

/** Outside of Linux, the locks of flock and those of SQLite conflict. */
function loadFlock(): ((descriptor: number, operation: number) => number) | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const flock = { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } as const;
    return dlopen(LIBRARY, { flock }).symbols.flock;
  } catch {
    return undefined;
  }
}
