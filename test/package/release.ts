import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { runLine, type Serving, serve } from '../support/command.ts';
import type { Settings } from '../support/store.ts';
import { newFolder } from '../support/temporary-folder.ts';

const REPOSITORY = join(import.meta.dir, '../..');

/** The environment of a user: the settings for the registry stay, those of `npm test` do not. */
const environment = Object.fromEntries(
  Object.entries(Bun.env).filter(([name]) => !/^npm_|^NODE$|^INIT_CWD$/.test(name)),
);

/** Without the `bun` of this repository, which `npm test` puts in PATH. */
const PATH = (Bun.env['PATH'] ?? '')
  .split(delimiter)
  .filter(
    (folder) => !folder.endsWith(join('node_modules', '.bin')) && !folder.includes('bun-node-'),
  )
  .join(delimiter);

export function runIn(folder: string, path: string, words: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, {
    cwd: folder,
    env: { ...environment, PATH: path },
    stdin: 'ignore',
  });
  return {
    exitCode,
    stdout: `${stdout}`,
    stderr: `${stderr}`.replace(/.*Unknown .* config.*\n/g, ''),
  };
}

/** A package manager, and the PATH that it needs. */
function manager(path: string, ...command: string[]) {
  return {
    path,
    /** Runs the package manager in a folder. It must succeed. */
    run(folder: string, ...args: string[]) {
      const output = runIn(folder, path, [...command, ...args]);
      if (output.exitCode === 0) return output;
      throw new Error(
        `${[...command, ...args].join(' ')} failed. This test needs the npm registry.\n` +
          `${output.stdout}${output.stderr}`,
      );
    },
  };
}

export const npm = manager(PATH, 'npm');

const CACHE = join(REPOSITORY, 'node_modules/.cache');

/**
 * Installs packages that only tests need, and returns their `node_modules`. Later runs find them in
 * the cache, which `npm ci` deletes.
 */
export function registryPackages(...packages: string[]): string {
  const folder = join(CACHE, `test-${Bun.hash(packages.join()).toString(36)}`);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const partial = mkdtempSync(`${folder}-`);
    writeFileSync(join(partial, 'package.json'), '{ "private": true }');
    const options = ['--prefer-offline', '--force', '--ignore-scripts', '--loglevel=error'];
    try {
      npm.run(partial, 'install', ...options, ...packages);
      renameSync(partial, folder);
    } catch (error) {
      // Another test run may have installed them in the meantime.
      if (!existsSync(folder)) throw error;
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  }
  return join(folder, 'node_modules');
}

const SYSTEM = process.platform === 'win32' ? 'win' : process.platform;
/** The npm package with the program of Node.js for this machine. */
export const NODE_PACKAGE = `node-${SYSTEM}-${process.arch}`;

/** Installs other package managers, and the Node.js that npm 12 needs, from the registry. */
export function installPackageManagers() {
  const installed = registryPackages(
    'npm10@npm:npm@10',
    'npm12@npm:npm@12',
    'pnpm@12',
    `${NODE_PACKAGE}@26`,
  );
  const nodePath = [join(installed, NODE_PACKAGE, 'bin'), PATH].join(delimiter);
  return {
    npm10: manager(PATH, 'node', join(installed, 'npm10/bin/npm-cli.js')),
    npm12: manager(
      nodePath,
      join(installed, NODE_PACKAGE, 'bin/node'),
      join(installed, 'npm12/bin/npm-cli.js'),
    ),
    pnpm: manager(PATH, 'node', join(installed, 'pnpm/bin/pnpm.mjs')),
    nodePath,
  };
}

/** A checkout without installed packages. */
export function checkout() {
  const folder = newFolder();
  const filter = (path: string) => !/\/(\.git|dist|fixtures|node_modules)$/.test(path);
  cpSync(REPOSITORY, folder, { recursive: true, filter });
  return folder;
}

/** An earlier version, installed from its package as its users did. Needs the npm registry. */
export function installRelease(version: string) {
  const tarball = join(import.meta.dir, '../fixtures', version, 'package.tgz');
  const launcher = join(registryPackages(tarball), 'animal-store/bin/animal-store.js');
  const path = { PATH: npm.path };
  const line = (words: readonly string[]) => ['node', launcher, ...words];
  const run = (settings: Settings, command: string) =>
    runLine(line(command.split(' ')), { ...path, ...settings });

  return {
    run,

    serve: (settings: Settings): Promise<Serving> =>
      serve({ ...path, ...settings }, (words) => line(words.slice(words.indexOf('serve')))),

    /** Creates an account with limits, and its key. */
    async makeKey(settings: Settings, account: string, perDay = 1_000_000) {
      const limits = `--per-minute 1000000 --per-day ${perDay}`;
      await run(settings, `accounts create ${account} --plan enterprise ${limits}`);
      return JSON.parse((await run(settings, `keys create ${account} --json`)).stdout);
    },
  };
}
