import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const REPOSITORY = join(import.meta.dir, '../..');

/** Runs a program and returns its output. The program must succeed. */
export function runProgram(folder: string, ...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(args, { cwd: folder });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${args.join(' ')} failed: ${stdout}${stderr}`);
}

/** The files that `npm pack` and its prepack script read. */
const PACKED = [
  ...['LICENSE', 'docs/client.md', 'tsconfig.json', 'tsconfig.client.json'],
  ...['packages/client/package.json', 'packages/client/src', 'scripts/build-client.ts'],
];

/** Packs a copy, because packing builds files and two test runs may share one checkout. */
function pack(destination: string): string {
  using copy = temporaryFolder();
  for (const name of PACKED) {
    cpSync(join(REPOSITORY, name), join(copy.path, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(copy.path, 'node_modules'));
  const words = ['npm', 'pack', '--silent', '--pack-destination', destination];
  return runProgram(join(copy.path, 'packages/client'), ...words).trim();
}

/** An empty project with the packed client installed, without a registry. */
export async function installClient() {
  const folder = temporaryFolder();
  const packed = pack(folder.path);
  await Bun.write(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }');
  runProgram(folder.path, 'npm', 'install', '--offline', `./${packed}`);
  return { ...folder, packed };
}
