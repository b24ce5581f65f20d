import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '../..');

export interface Checkout extends Disposable {
  readonly folder: string;
}

/** Checks a revision out into a temporary folder. It shares the packages of this checkout. */
export function checkOut(revision: string): Checkout {
  const parent = mkdtempSync(join(tmpdir(), 'animal-store-base-'));
  const folder = join(parent, 'checkout');
  git('worktree', 'add', '--detach', folder, revision);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    [Symbol.dispose]() {
      git('worktree', 'remove', '--force', folder);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

function git(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['git', '-C', ROOT, ...words]);
  if (exitCode !== 0) throw new Error(`git ${words[0]} failed: ${stderr}`);
}
