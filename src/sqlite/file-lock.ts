import { dlopen, FFIType } from 'bun:ffi';
import { openSync } from 'node:fs';

const LOCK = 2;
const DO_NOT_WAIT = 4;
const UNLOCK = 8;

/** The C library of glibc. musl answers to the same name. */
const LIBRARY = 'libc.so.6';

/**
 * Locks the file itself with flock(2), so that a second path to it leads to the same lock. Undefined
 * if another process has it. Does nothing where flock does not exist or would block SQLite.
 */
export function tryLockFile(path: string): Disposable | undefined {
  const flock = loadFlock();
  if (flock === undefined) return { [Symbol.dispose]() {} };
  // Never closed: closing any descriptor of a file drops all locks that SQLite has on it.
  const descriptor = openSync(path, 'r');
  const unlock = () => flock(descriptor, UNLOCK) === 0;
  const isLocked = flock(descriptor, LOCK | DO_NOT_WAIT) === 0;
  // Where flock works, it can always unlock. Where it does not, the file is used without it.
  if (!isLocked && unlock()) return undefined;
  return { [Symbol.dispose]: unlock };
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
