import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * A file next to another, in a folder that nobody else uses. It takes the place of the other once it
 * is complete and synced, or is deleted.
 */
export function pendingFile(target: string) {
  const folder = mkdtempSync(`${target}.partial-`);
  const path = join(folder, basename(target));
  return {
    path,
    /** With `linkSync`, it never replaces a file. */
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
