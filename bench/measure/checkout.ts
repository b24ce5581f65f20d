import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '../..');

/** The command of Animal Store in a checkout. */
export function mainOf(checkout: string): string {
  return join(checkout, 'src/main.ts');
}

/** Checks a revision out into a temporary folder. It shares the packages of this checkout. */
export function checkOut(revision: string): Disposable & { readonly folder: string } {
  const parent = mkdtempSync(join(tmpdir(), 'animal-store-base-'));
  const folder = join(parent, 'checkout');
  const remove = () => rmSync(parent, { recursive: true, force: true });
  try {
    git('worktree', 'add', '--detach', folder, revision);
  } catch (error) {
    remove();
    throw error;
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    [Symbol.dispose]() {
      git('worktree', 'remove', '--force', folder);
      remove();
    },
  };
}

function git(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['git', '-C', ROOT, ...words]);
  if (exitCode !== 0) throw new Error(`git ${words[0]} failed: ${stderr}`);
}
