import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const REPOSITORY = join(import.meta.dir, '../..');

/** Runs a program to its end, which must be a good one, and returns what it printed. */
export function runProgram(folder: string, ...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, { cwd: folder });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${words.join(' ')} failed: ${stdout}${stderr}`);
}

/** All that `npm pack` reads, or runs before it. */
const PACKED = [
  ...['package.json', 'README.md', 'LICENSE', 'tsconfig.json', 'tsconfig.client.json'],
  ...['src', 'migrations', 'scripts'],
];

/** Packs a copy, since packing builds dist/, which two runs in one checkout must not share. */
function pack(destination: string): string {
  using copy = temporaryFolder();
  for (const name of PACKED) {
    cpSync(join(REPOSITORY, name), join(copy.path, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(copy.path, 'node_modules'));
  return runProgram(copy.path, 'npm', 'pack', '--silent', '--pack-destination', destination).trim();
}

/** An empty project into which the package was installed as npm packs it. */
export async function installClient(): Promise<ReturnType<typeof temporaryFolder>> {
  const folder = temporaryFolder();
  const packed = pack(folder.path);
  await Bun.write(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }');
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  runProgram(folder.path, 'npm', 'install', ...quietly, `./${packed}`);
  return folder;
}
