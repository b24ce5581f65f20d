import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * A file to write in a new folder next to its target, where no other program looks for it. Once it is complete,
 * `commit` syncs it and puts it in the place of the target. Otherwise it is deleted at the end.
 */
export function pendingFile(target: string) {
  const folder = mkdtempSync(`${target}.partial-`);
  const path = join(folder, basename(target));
  return {
    path,
    /** Replaces the target. With `linkSync` instead, it fails if the target exists. */
    commit(place = renameSync) {
      sync(path);
      place(path, target);
      sync(dirname(target));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
