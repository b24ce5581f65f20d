import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './command.ts';
import { requireProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const LIBRARIES = '/usr/lib';
/** The allocator of Redis reads the clock too early for libfaketime. This is the one of glibc. */
const ALLOCATOR = 'libc_malloc_debug.so.0';

/** The wall clock of other programs. It stands still until it is set, also while they run. */
export class FakeTime implements Disposable {
  readonly #folder = temporaryFolder();
  readonly #file = join(this.#folder.path, 'time');

  constructor(nowMs: number) {
    this.set(nowMs);
  }

  /** The environment of a program that uses this clock. */
  get environment(): Settings {
    return {
      LD_PRELOAD: fakeTimeLibrary(),
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      TZ: 'UTC',
    };
  }

  get environmentOfRedis(): Settings {
    return { ...this.environment, LD_PRELOAD: `${ALLOCATOR} ${fakeTimeLibrary()}` };
  }

  /** In whole seconds. */
  set(nowMs: number): void {
    const text = new Date(nowMs).toISOString().replace('T', ' ').slice(0, 19);
    writeFileSync(`${this.#file}.new`, `${text}\n`);
    // A program never reads half of a time.
    renameSync(`${this.#file}.new`, this.#file);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The library of the Debian package, in the folder of the architecture. */
function fakeTimeLibrary(): string {
  requireProgram('faketime');
  for (const folder of readdirSync(LIBRARIES)) {
    const path = join(LIBRARIES, folder, 'faketime', 'libfaketimeMT.so.1');
    if (Bun.file(path).size > 0) return path;
  }
  throw new Error('The tests need libfaketime. Install it (on Debian: apt-get install faketime)');
}
