import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies, optionalDependencies, version } from '../../package.json' with {
  type: 'json',
};
import lock from '../../package-lock.json' with { type: 'json' };
import { PAGE_ENTRIES } from '../../scripts/build-pages.ts';
import { bundledPackages } from '../../scripts/third-party-notices.ts';
import { beginCreation } from '../support/begin-creation.ts';
import { eventually, serve } from '../support/command.ts';
import {
  checkout,
  installPackageManagers,
  npm,
  type PackageManager,
  runIn,
} from '../support/package-managers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const clone = checkout();
const tools = temporaryFolder();
const LAUNCHER = join(clone.path, 'bin/animal-store.js');
let managers: ReturnType<typeof installPackageManagers>;
let tarball: string;

beforeAll(() => {
  managers = installPackageManagers();
  npm.run(clone.path, 'ci', '--omit=dev', '--prefer-offline');
  const packed = npm.run(clone.path, 'pack', '--silent', '--pack-destination', tools.path);
  tarball = join(tools.path, packed.stdout.trim());
});

afterAll(() => {
  clone[Symbol.dispose]();
  tools[Symbol.dispose]();
});

/** An empty project in which a package manager installs the service. */
function project(manager: PackageManager, ...install: string[]): Disposable & { path: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'package.json'), '{ "private": true }');
  manager.run(folder.path, ...install);
  return folder;
}

function isRefused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

describe('what is installed', () => {
  test('the list of packages in a release has all of them, those in the pages, and the runtime of each platform', async () => {
    expect(Bun.spawnSync([process.execPath, 'scripts/build-sbom.ts']).exitCode).toBe(0);
    const { components } = JSON.parse(readFileSync('dist/animal-store.cdx.json', 'utf8'));
    const names = components.map(({ name }: { name: string }) => name);
    const runtimes = Object.keys(optionalDependencies);
    const bundled = await bundledPackages(['src/main.ts', ...PAGE_ENTRIES]);
    const known = [...Object.keys(dependencies), ...runtimes, ...bundled.map(({ name }) => name)];
    expect(names).toEqual(expect.arrayContaining(known));
    expect(JSON.stringify(components)).not.toContain('cdx:npm:package:development');
  });

  test('no package that serving needs has an install script, which many package managers skip', () => {
    const scripts = Object.entries(lock.packages).filter(
      ([, entry]) => 'hasInstallScript' in entry && !('dev' in entry),
    );
    expect(scripts).toEqual([]);
  });

  test('the platforms and the version are those of the package bun', () => {
    expect(optionalDependencies).toEqual(lock.packages['node_modules/bun'].optionalDependencies);
    expect(dependencies).not.toHaveProperty('bun');
  });

  test('the packed service has only what serving needs', () => {
    const paths = runIn(tools.path, npm.path, ['tar', '-tf', tarball]).stdout.trim().split('\n');
    const tops = new Set(paths.map((path) => path.split('/')[1]));
    expect([...tops].sort()).toEqual([
      'LICENSE',
      'README.md',
      'bin',
      'bunfig.toml',
      'migrations',
      'package.json',
      'src',
      'tsconfig.json',
    ]);
  });
});

describe('the command runs, without bun in PATH, after', () => {
  test('npm 10 install --global', () => {
    using folder = project(
      managers.npm10,
      'install',
      '--global',
      '--prefix',
      '.',
      '--prefer-offline',
      tarball,
    );
    const command = join(folder.path, 'bin/animal-store');
    expect(runIn('/', npm.path, [command, '--version']).stdout).toBe(`${version}\n`);
  });

  test('npm 12 install, without a warning', () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'package.json'), '{ "private": true }');
    const { stderr } = managers.npm12.run(folder.path, 'install', '--prefer-offline', tarball);
    expect(stderr).toBe('');
    const { stdout } = managers.npm12.run(
      folder.path,
      'exec',
      '--no',
      '--',
      'animal-store',
      '--version',
    );
    expect(stdout).toBe(`${version}\n`);
  });

  test('pnpm add', () => {
    using folder = project(managers.pnpm, 'add', '--store-dir', join(tools.path, 'store'), tarball);
    const { stdout } = managers.pnpm.run(folder.path, 'exec', 'animal-store', '--version');
    expect(stdout).toBe(`${version}\n`);
  });
});

describe.each([
  ['the Node.js of this machine', () => npm.path],
  ['Node.js 26', () => managers.nodePath],
])('the launcher on %s', (_, path) => {
  const start = (folder: string, ...wrapper: string[]) =>
    serve({ PATH: path(), DATABASE_URL: `sqlite:${join(folder, 'store.db')}` }, (words) => [
      ...[...wrapper, 'setsid', 'node', LAUNCHER],
      ...words.slice(words.indexOf('serve')),
    ]);

  test('finishes requests in flight when a signal reaches the whole process group', async () => {
    using folder = temporaryFolder();
    await using service = await start(folder.path);
    const { api, demoKey = '' } = service.started;
    const creation = await beginCreation(api, demoKey, '{"name":"In flight","categoryId":1}');
    process.kill(-service.pid, 'SIGTERM');
    await eventually(() => isRefused(api));
    creation.finish();
    expect(await service.exited).toBe(0);
    expect(creation.response()).toContain('HTTP/1.1 201 Created');
    expect(existsSync(join(folder.path, 'store.db-wal'))).toBe(false);
  });

  test('leaves no service behind when it is killed', async () => {
    using folder = temporaryFolder();
    await using service = await start(folder.path);
    service.kill('SIGKILL');
    await eventually(() => isRefused(service.started.api));
  });

  test('dies of the signal of which the service dies', async () => {
    using folder = temporaryFolder();
    await using service = await start(folder.path);
    const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8');
    // The launcher, or Bun in its place.
    process.kill(Number.parseInt(children, 10) || service.pid, 'SIGKILL');
    expect(await service.exited).toBe(128 + 9);
  });

  test('exits with the code of the command', () => {
    const { exitCode, stderr } = runIn('/', path(), ['node', LAUNCHER, 'nonsense']);
    expect(stderr).toContain('nonsense');
    expect(exitCode).toBe(1);
  });

  test('serves its pages in the folder of another project, with another compiler of JSX', async () => {
    using folder = temporaryFolder();
    const jsx = '{ "jsx": "react-jsx", "jsxImportSource": "react" }';
    writeFileSync(join(folder.path, 'tsconfig.json'), `{ "compilerOptions": ${jsx} }`);
    await using service = await start(folder.path, 'env', `--chdir=${folder.path}`);
    expect((await fetch(`${service.started.listening}/docs`)).status).toBe(200);
  });

  test('obeys no .env, no bunfig.toml of the working folder and no BUN_OPTIONS', () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, '.env'), 'PORT=wrong\n');
    writeFileSync(join(folder.path, 'bunfig.toml'), 'preload = ["./foreign.js"]\n');
    writeFileSync(join(folder.path, 'foreign.js'), 'console.log("foreign")\n');
    writeFileSync(join(folder.path, 'optional.js'), 'console.log("foreign option")\n');
    const words = ['node', LAUNCHER, 'accounts', 'list', '--json'];
    const options = 'BUN_OPTIONS=--preload=./optional.js';
    const { stdout, stderr } = runIn(folder.path, path(), ['env', options, ...words]);
    expect(stderr).toContain('animal-store.db');
    expect(`${stdout}${stderr}`).not.toMatch(/foreign|PORT/);
  });
});

test('without Bun for this machine, one line says what to do', () => {
  using folder = temporaryFolder();
  for (const name of ['bin/animal-store.js', 'package.json']) {
    mkdirSync(join(folder.path, 'bin'), { recursive: true });
    writeFileSync(join(folder.path, name), readFileSync(join(clone.path, name)));
  }
  const { exitCode, stderr } = runIn('/', npm.path, [
    'node',
    join(folder.path, 'bin/animal-store.js'),
  ]);
  expect(stderr).toMatch(/^The runtime @oven\/bun-\S+ is not installed\. .*npm ci --omit=dev\n$/);
  expect(exitCode).toBe(1);
});
