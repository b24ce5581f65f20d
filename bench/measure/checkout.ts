import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '../..');

/** The command refuses to run in a folder with the settings of another checkout. */
export const NEUTRAL_FOLDER = tmpdir();

/** The command of Animal Store in a checkout. */
export function mainOf(checkout: string): string {
  return join(checkout, 'src/main.ts');
}

/** Writes the files of a revision into an empty folder. It shares the packages of this checkout. */
export function checkOut(revision: string, folder: string): string {
  const archive = Bun.spawnSync(['git', '-C', ROOT, 'archive', revision]);
  if (!archive.success) throw new Error(`git archive failed: ${archive.stderr}`);
  const tar = Bun.spawnSync(['tar', '--extract', '--directory', folder], { stdin: archive.stdout });
  if (!tar.success) throw new Error(`tar failed: ${tar.stderr}`);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
