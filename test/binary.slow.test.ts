import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PAGE_ENTRIES } from '../scripts/build-pages.ts';
import { bundledPackages, runtimePackage } from '../scripts/third-party-notices.ts';
import { FILES } from './reference/files.ts';
import { FIRST_PET } from './stores/full-store.ts';
import { type Serving, serve } from './support/command.ts';
import { apiCaller } from './support/http.ts';
import { newPostgresDatabase } from './support/postgres.ts';
import { newRedisDatabase } from './support/redis.ts';
import type { Settings } from './support/store.ts';
import { newFolder } from './support/temporary-folder.ts';
import { eventually } from './support/time.ts';

/** The compiled program, in an empty folder, with no environment but the settings of the test. */

const built = newFolder();
const BINARY = join(built, 'animal-store');
const script = [process.execPath, 'scripts/build-binary.ts', '--outdir', built];
const { exitCode, stderr } = Bun.spawnSync(script, { cwd: dockerBuildFolder() });
if (exitCode !== 0) throw new Error(`The build failed: ${stderr}`);

/** Only the files that the Dockerfile copies, and that .dockerignore lets through. */
function dockerBuildFolder(): string {
  const folder = newFolder();
  const copies = readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--)(.*) \S+$/gm);
  const sent: string[] = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).*$/gm) ?? [];
  for (const path of [...copies].flatMap(([, paths = '']) => paths.split(' '))) {
    if (!sent.includes(path.split('/')[0] ?? '')) continue;
    cpSync(path, join(folder, path), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

function programIn(folder: string, settings: Settings = {}) {
  const run = (line: string, stdin = ''): string => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([BINARY, ...line.split(' ')], {
      cwd: folder,
      env: settings,
      stdin: Buffer.from(stdin),
    });
    if (exitCode !== 0) throw new Error(`${line} failed: ${stdout}${stderr}`);
    return stdout.toString();
  };
  return {
    run,
    /** Creates an account and a key, and returns its secret. */
    makeKey(): string {
      run('accounts create shop --plan enterprise --per-minute 100000 --per-day 100000');
      return JSON.parse(run('keys create shop --json')).secret;
    },
    serve: () => {
      const ports = { PORT: '0', OPERATOR_PORT: '0', ...settings };
      const variables = Object.entries(ports).map(([name, value]) => `${name}=${value}`);
      return serve({}, () => ['env', '-C', folder, '-i', ...variables, BINARY, 'serve', '--json']);
    },
  };
}

async function addPet(api: string, key?: string): Promise<void> {
  const response = await apiCaller(api, key).post(FIRST_PET);
  expect(response.status).toBe(201);
  expect(await response.text()).toContain('"categoryId":9223372036854775807,');
}

async function stop(service: Serving): Promise<void> {
  expect(await service.stop()).toBe(0);
  expect(service.stderr()).toBe('');
}

test('the program serves and runs every command on SQLite', async () => {
  const folder = newFolder();
  const program = programIn(folder);
  await using service = await program.serve();
  const { api, listening, operator, data } = service.started;
  expect(data).toBe(join(folder, 'data/animal-store.db'));

  const secret = program.makeKey();
  await addPet(api, secret);
  for (const path of [...FILES, '/client.tgz', '/client-1.1.0.tgz']) {
    expect([path, (await fetch(`${listening}${path}`)).status]).toEqual([path, 200]);
  }
  const checks = programIn(folder, {
    OPERATOR_PORT: new URL(operator).port,
    ANIMAL_STORE_API_KEY: secret,
  });
  expect(checks.run('health')).toBe('ready\n');
  expect(checks.run(`conformance ${api} --no-wait`)).toContain(' 0 failed, ');
  await stop(service);

  // The writer's thread saved them.
  expect(program.run('accounts usage')).toMatch(/^shop +[1-9]/m);
  const exported = program.run('store export');
  const other = newFolder();
  const copy = programIn(other);
  copy.run('store import', exported);
  expect(copy.run('pets export')).toBe(program.run('pets export'));
  expect(readdirSync(folder)).toEqual(['data']);
});

test('the program serves and runs commands on PostgreSQL and Redis', async () => {
  const folder = newFolder();
  const DATABASE_URL = await newPostgresDatabase();
  const program = programIn(folder, { DATABASE_URL, REDIS_URL: await newRedisDatabase() });
  await using service = await program.serve();

  const secret = program.makeKey();
  await addPet(service.started.api, secret);
  await stop(service);

  expect(program.run('accounts usage')).toMatch(/^shop +1 /m);
  expect(program.run('store export')).toContain('9223372036854775807');
  expect(readdirSync(folder)).toEqual([]);
});

test('the program reads neither .env nor bunfig.toml of the working folder', async () => {
  const folder = newFolder();
  for (const name of ['.env', '.env.local', '.env.production', '.env.development']) {
    await Bun.write(join(folder, name), 'PUBLIC_URL=https://another.example\n');
  }
  await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./another.ts"]\n');
  await Bun.write(join(folder, 'another.ts'), 'console.log("another project");');
  const document = programIn(folder).run('openapi');
  expect(document).toBe(readFileSync('openapi.json', 'utf8'));
});

test('the program and a file next to it contain the licenses of its packages and its runtime', async () => {
  const program = readFileSync(BINARY);
  const notices = readFileSync(join(built, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const packages = await bundledPackages(['src/main.ts', ...PAGE_ENTRIES]);
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['pino', 'uplot', 'zod']),
  );
  for (const { name, version, license } of [...packages, runtimePackage()]) {
    const notice = `${name} ${version}\n\n${license}`;
    expect([name, program.includes(notice), notices.includes(notice)]).toEqual([name, true, true]);
  }
});

test('a logged error names files and lines of the source', async () => {
  const folder = newFolder();
  await using service = await programIn(folder).serve();
  const { api, demoKey, data } = service.started;
  using usage = new Database(`${data}-usage`);
  usage.run('BEGIN IMMEDIATE');
  await addPet(api, demoKey);
  await eventually(() => service.stderr().includes('could not be saved'));
  expect(service.stderr()).toMatch(/src\/stores\/sqlite\/writer\.ts:\d+:\d+/);
});
