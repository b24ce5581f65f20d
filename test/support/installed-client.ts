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
  ...['package.json', 'README.md', 'LICENSE', 'tsconfig.json', 'tsconfig.client.json'],
  ...['src', 'migrations', 'scripts'],
];

/** Packs a copy, because packing builds dist/ and two test runs may share one checkout. */
function pack(destination: string): string {
  using copy = temporaryFolder();
  for (const name of PACKED) {
    cpSync(join(REPOSITORY, name), join(copy.path, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(copy.path, 'node_modules'));
  return runProgram(copy.path, 'npm', 'pack', '--silent', '--pack-destination', destination).trim();
}

/** An empty project with the packed package installed. */
export async function installClient(): Promise<ReturnType<typeof temporaryFolder>> {
  const folder = temporaryFolder();
  const packed = pack(folder.path);
  await Bun.write(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  runProgram(folder.path, 'npm', 'install', ...flags, `./${packed}`);
  return folder;
}
