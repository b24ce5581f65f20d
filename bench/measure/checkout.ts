import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '../..');
/** The folder for everything that the benchmark builds and writes. */
export const DATA = join(ROOT, 'bench/.data');

/** The command refuses to run in a folder with the settings of another checkout. */
export const NEUTRAL_FOLDER = tmpdir();

/** The command line of Animal Store in a checkout, with the settings of that checkout. */
export function commandOf(checkout: string, ...words: string[]): string[] {
  const flags = [
    `--config=${join(checkout, 'bunfig.toml')}`,
    `--tsconfig-override=${join(checkout, 'tsconfig.json')}`,
  ];
  return [process.execPath, ...flags, join(checkout, 'src/main.ts'), ...words];
}

/** Writes the files of a revision into an empty folder, which shares the installed packages of this checkout. */
export function checkOut(revision: string, folder: string): string {
  const archive = Bun.spawnSync(['git', '-C', ROOT, 'archive', revision]);
  if (!archive.success) throw new Error(`git archive failed: ${archive.stderr}`);
  const tar = Bun.spawnSync(['tar', '--extract', '--directory', folder], { stdin: archive.stdout });
  if (!tar.success) throw new Error(`tar failed: ${tar.stderr}`);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
