import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const REPOSITORY = join(import.meta.dir, '../..');

/** Runs a program to its end, which must be a good one, and returns what it printed. */
export function runProgram(folder: string, ...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, { cwd: folder });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${words.join(' ')} failed: ${stdout}${stderr}`);
}

/** An empty project into which the package was installed as npm packs it. */
export async function installClient(): Promise<ReturnType<typeof temporaryFolder>> {
  const folder = temporaryFolder();
  const packed = runProgram(
    REPOSITORY,
    'npm',
    'pack',
    '--silent',
    '--pack-destination',
    folder.path,
  );
  await Bun.write(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }');
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  runProgram(folder.path, 'npm', 'install', ...quietly, `./${packed.trim()}`);
  return folder;
}
