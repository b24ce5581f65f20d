import { closeSync, openSync, statSync, writeSync } from 'node:fs';

/** Overwrites a part of a file in place, also while others read it. */
export function damageFile(path: string, from: number, to = statSync(path).size): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(to - from, 0xff), 0, to - from, from);
  closeSync(descriptor);
}
