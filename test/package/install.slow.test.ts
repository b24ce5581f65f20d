import { describe, expect, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies, optionalDependencies, version } from '../../package.json' with {
  type: 'json',
};
import lock from '../../package-lock.json' with { type: 'json' };
import { PAGE_ENTRIES } from '../../scripts/build-pages.ts';
import { bundledPackages } from '../../scripts/third-party-notices.ts';
import { serve } from '../support/command.ts';
import { beginCreation } from '../support/http.ts';
import { newFile, newFolder } from '../support/temporary-folder.ts';
import { eventually, succeeds } from '../support/time.ts';
import { checkout, installPackageManagers, npm, runIn } from './release.ts';

const clone = checkout();
const tools = newFolder();
const LAUNCHER = join(clone, 'bin/animal-store.js');
const managers = installPackageManagers();
npm.run(clone, 'ci', '--omit=dev', '--prefer-offline');
const packed = npm.run(clone, 'pack', '--silent', '--pack-destination', tools);
const tarball = join(tools, packed.stdout.trim());

/** An empty project in which a package manager installs the service. */
function project(manager: typeof npm, ...install: string[]) {
  const folder = newFolder();
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const { stderr } = manager.run(folder, ...install);
  return { folder, stderr };
}

describe('what is installed', () => {
  test('the list of packages in a release has all of them, including those in the pages and the runtime of each platform', async () => {
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
    const paths = runIn(tools, npm.path, ['tar', '-tf', tarball]).stdout.trim().split('\n');
    const tops = new Set(paths.map((path) => path.split('/')[1]));
    const texts = ['CHANGELOG.md', 'LICENSE', 'README.md'];
    const needed = ['bin', 'bunfig.toml', 'migrations', 'package.json', 'packages', 'src'];
    expect([...tops].sort()).toEqual([...texts, ...needed, 'tsconfig.json']);
    const used = /^package\/packages\/(conformance|console\/generated)\//;
    const packages = paths.filter((path) => path.startsWith('package/packages/'));
    expect(packages.filter((path) => !used.test(path))).toEqual([]);
  });
});

describe('the command runs, without bun in PATH, after', () => {
  test('npm 10 install --global', () => {
    const install = ['install', '--global', '--prefix', '.', '--prefer-offline', tarball];
    const { folder } = project(managers.npm10, ...install);
    const command = join(folder, 'bin/animal-store');
    expect(runIn('/', npm.path, [command, '--version']).stdout).toBe(`${version}\n`);
  });

  test('npm 12 install, without a warning', () => {
    const install = ['install', '--prefer-offline', tarball];
    const { folder, stderr } = project(managers.npm12, ...install);
    expect(stderr).toBe('');
    const execute = ['exec', '--no', '--', 'animal-store', '--version'];
    const { stdout } = managers.npm12.run(folder, ...execute);
    expect(stdout).toBe(`${version}\n`);
  });

  test('pnpm add', () => {
    const { folder } = project(managers.pnpm, 'add', '--store-dir', join(tools, 'store'), tarball);
    const { stdout } = managers.pnpm.run(folder, 'exec', 'animal-store', '--version');
    expect(stdout).toBe(`${version}\n`);
  });
});

describe.each([
  ['the Node.js of this machine', npm.path],
  ['Node.js 26', managers.nodePath],
])('the launcher on %s', (_, path) => {
  const start = (settings: Record<string, string>, ...wrapper: string[]) =>
    serve({ PATH: path, ...settings }, (words) => [
      ...wrapper,
      'setsid',
      'node',
      LAUNCHER,
      ...words.slice(words.indexOf('serve')),
    ]);

  test('finishes requests in flight when a signal reaches the whole process group', async () => {
    const file = newFile();
    await using service = await start(file.settings);
    const { api, demoKey = '' } = service.started;
    const creation = await beginCreation(api, demoKey, '{"name":"In flight","categoryId":1}');
    process.kill(-service.pid, 'SIGTERM');
    await eventually(async () => !(await succeeds(fetch(api))));
    creation.finish();
    expect(await service.exited).toBe(0);
    expect(creation.response()).toContain('HTTP/1.1 201 Created');
    expect(existsSync(`${file.path}-wal`)).toBe(false);
  });

  test('stops the service that npm start has started', async () => {
    const file = newFile();
    await using service = await serve({ PATH: path, ...file.settings }, () => {
      return ['npm', 'run', '--silent', 'start', '--', '--json'];
    });
    await service.stop();
    await eventually(async () => !(await succeeds(fetch(service.started.api))));
    // SQLite removes its log when the last connection closes in an orderly stop.
    expect(existsSync(`${file.path}-wal`)).toBe(false);
  });

  test('leaves no service behind when it is killed', async () => {
    await using service = await start(newFile().settings);
    service.kill('SIGKILL');
    await eventually(async () => !(await succeeds(fetch(service.started.api))));
  });

  test('dies of the signal of which the service dies', async () => {
    await using service = await start(newFile().settings);
    const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8');
    // The launcher, or Bun in its place.
    process.kill(Number.parseInt(children, 10) || service.pid, 'SIGKILL');
    expect(await service.exited).toBe(128 + 9);
  });

  test('exits with the code of the command', () => {
    const { exitCode, stderr } = runIn('/', path, ['node', LAUNCHER, 'nonsense']);
    expect(stderr).toContain('nonsense');
    expect(exitCode).toBe(1);
  });

  test('ignores the files of another project in the working folder, and BUN_OPTIONS', async () => {
    const { folder, settings } = newFile();
    const jsx = '{ "jsx": "react-jsx", "jsxImportSource": "react" }';
    writeFileSync(join(folder, 'tsconfig.json'), `{ "compilerOptions": ${jsx} }`);
    writeFileSync(join(folder, '.env'), 'PUBLIC_URL=wrong\n');
    writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./missing.js"]\n');
    const options = 'BUN_OPTIONS=--preload=./missing.js';
    await using service = await start(settings, 'env', `--chdir=${folder}`, options);
    expect((await fetch(`${service.started.listening}/docs`)).status).toBe(200);
  });
});

test('without Bun for this machine, one line says what to do', () => {
  const folder = newFolder();
  const launcher = join(folder, 'bin/animal-store.js');
  cpSync(LAUNCHER, launcher);
  cpSync(join(clone, 'package.json'), join(folder, 'package.json'));
  const { exitCode, stderr } = runIn('/', npm.path, ['node', launcher]);
  expect(stderr).toMatch(/^The runtime @oven\/bun-\S+ is not installed\. .*npm ci --omit=dev\n$/);
  expect(exitCode).toBe(1);
});
