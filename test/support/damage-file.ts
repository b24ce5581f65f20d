import { readFileSync, writeFileSync } from 'node:fs';

/** Overwrites a part of a file in place. */
export function damageFile(path: string, from: number, to?: number): void {
  writeFileSync(path, readFileSync(path).fill(0xff, from, to));
}
