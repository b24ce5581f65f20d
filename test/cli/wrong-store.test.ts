import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { commandLine, makeKey, run, runJson, runLine } from '../support/command.ts';
import { createStore } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');

/** Every command that opens a store, except those that may create one. */
const COMMANDS = [
  ['accounts', 'create', 'new', '--plan', 'free'],
  ['accounts', 'list'],
  ['accounts', 'set-plan', 'shop', '--plan', 'pro'],
  ['accounts', 'usage'],
  ['accounts', 'show', 'shop'],
  ['accounts', 'rename', 'new', 'newer'],
  ['accounts', 'suspend', 'shop'],
  ['accounts', 'resume', 'shop'],
  ['keys', 'create', 'shop'],
  ['keys', 'list'],
  ['keys', 'update', '1', '--label', 'phone'],
  ['keys', 'rotate', '1'],
  ['keys', 'unban', '1'],
  ['keys', 'revoke', '1'],
  ['plans', 'list'],
  ['plans', 'preview', 'free'],
  ['pets', 'import', '-'],
  ['pets', 'export'],
  ['pets', 'seed', '--count', '1'],
  ['pets', 'set-status', '1', 'sold', '--yes'],
  ['pets', 'remove', '1', '--yes'],
  ['deprecations'],
  ['store', 'export'],
  ['audit'],
];

const READS = ['audit', 'deprecations', 'list', 'usage', 'show', 'preview', 'export'];
const CHANGES = COMMANDS.filter(([group, name = group]) => !READS.includes(name ?? ''));

/** One of each group, for what does not depend on the command. */
const SAMPLE = [...Map.groupBy(COMMANDS, ([group]) => group).values()].map(
  ([first]) => first ?? [],
);

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function tablesIn(url: string): Promise<string[]> {
  await using sql = new SQL(url, { max: 1 });
  const rows = await sql`SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public' ORDER BY 1`;
  return rows.map(({ table_name }: { table_name: string }) => table_name);
}

function fingerprint(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

test('the list above has every command that opens a store', async () => {
  const groups = ['accounts', 'keys', 'plans', 'pets', 'store'];
  const found = ['audit', 'deprecations'];
  for (const group of groups) {
    const { stdout } = await run({}, group, '--help');
    const [, commands = ''] = stdout.split('Commands:\n');
    for (const [, name] of commands.matchAll(/^ {2}([a-z-]+)/gm)) found.push(`${group} ${name}`);
  }
  const listed = COMMANDS.map((words) => words.slice(0, 2).join(' '));
  // These have tests of their own.
  const others = ['store import', 'store backup', 'store restore'];
  for (const group of groups) others.push(`${group} help`);
  expect(found.sort()).toEqual([...listed, ...others].sort());
});

describe('a command in a folder without a store', () => {
  const missing = (path: string) =>
    `There is no store at ${path}. Run this in the folder of ` +
    'the service, or name the store of the service with --database or DATABASE_URL. ' +
    'To create a new store, start the service.\n';

  test.each(COMMANDS)('%s %s creates nothing, and names the file', async (...words) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'data/store.db');
    const { exitCode, stdout, stderr } = await run({ DATABASE_URL: `sqlite:${path}` }, ...words);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: missing(path),
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('looks for it in that folder', async () => {
    using folder = temporaryFolder();
    const { stderr } = await runLine(commandLine('accounts', 'list'), {}, folder.path);
    expect(stderr).toBe(missing(join(folder.path, 'data/animal-store.db')));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('refuses an empty file as well', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'empty.db');
    await Bun.write(path, '');
    const { stderr } = await run({}, 'accounts', 'list', '--database', `sqlite:${path}`);
    expect(stderr).toStartWith(`There is no store at ${path}.`);
    expect([readdirSync(folder.path), readFileSync(path, 'utf8')]).toEqual([['empty.db'], '']);
  });

  test('creates a store only for an import', async () => {
    using folder = temporaryFolder();
    const url = `sqlite:${join(folder.path, 'a.db')}`;
    await createStore(url);
    const exported = join(folder.path, 'export.ndjson');
    const shell = (line: string) => ['sh', '-c', line];
    const from = commandLine('store', 'export', '--database', url).join(' ');
    await runLine(shell(`${from} > ${exported}`), {});
    const imported = join(folder.path, 'data/animal-store.db');
    const into = commandLine('store', 'import', '--json').join(' ');
    const { stdout } = await runLine(shell(`${into} < ${exported}`), {}, folder.path);
    expect(JSON.parse(stdout)).toMatchObject({ store: imported });
    expect(existsSync(imported)).toBe(true);
  });
});

describe('a database without a store', () => {
  test('stays without tables, whatever command reads it', async () => {
    const url = await postgres.newDatabase();
    const { host, pathname } = new URL(url);
    for (const words of SAMPLE) {
      const { exitCode, stderr } = await run({}, ...words, '--database', url);
      expect([words, exitCode]).toEqual([words, 1]);
      expect(stderr).toStartWith(
        `There is no store in the PostgreSQL database "${pathname.slice(1)}" at ${host}.`,
      );
    }
    expect(await tablesIn(url)).toEqual([]);
  });
});

test('a store of a newer version is refused, on PostgreSQL', async () => {
  const url = await postgres.newDatabase();
  await createStore(url);
  await using sql = new SQL(url, { max: 1 });
  await sql`INSERT INTO animal_store_migrations (version) VALUES (999)`;
  const { stderr } = await run({}, 'accounts', 'list', '--database', url);
  expect(stderr).toStartWith('A newer version of Animal Store wrote the PostgreSQL database');
});

test('a database of another program is not even switched to another journal', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'other.db');
  const other = new Database(path);
  other.run('CREATE TABLE notes (text)');
  other.close();
  const before = fingerprint(path);
  const url = `sqlite:${path}`;
  for (const words of [['accounts', 'list'], ['serve']]) {
    const { stderr } = await run({}, ...words, '--database', url);
    expect(stderr).toStartWith(`${path} belongs to another program.`);
  }
  expect(fingerprint(path)).toBe(before);
});

describe('every command that changes a store names it', () => {
  test('in a field of its JSON, and in a last line on standard error', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.db');
    const settings = { DATABASE_URL: `sqlite:${path}` };
    const account = ['accounts', 'create', 'shop', '--plan', 'pro'];
    await createStore(settings.DATABASE_URL);
    expect((await run(settings, ...account)).stderr).toBe(`Store: ${path}\n`);
    await runJson(settings, 'keys', 'create', 'shop');
    for (const words of CHANGES) {
      const changed = await runJson<{ store: string }>(settings, ...words);
      expect([words, changed.store]).toEqual([words, path]);
    }
  });

  test('without the password, on PostgreSQL', async () => {
    const database = new URL(await postgres.newDatabase());
    await createStore(database.href);
    database.password = 'hunter2';
    const { stderr } = await run({ DATABASE_URL: database.href }, 'pets', 'seed', '--count', '1');
    expect(stderr).toBe(`Store: postgres://${database.host}${database.pathname}\n`);
  });
});

describe("another project's folder", () => {
  /** A folder whose files would lead Bun to the database of another project. */
  async function anotherProject(url: string) {
    const folder = temporaryFolder();
    // The name of the package does not make it our checkout.
    await Bun.write(join(folder.path, 'package.json'), '{ "name": "animal-store" }');
    await Bun.write(join(folder.path, '.env'), `DATABASE_URL=${url}\n`);
    await Bun.write(join(folder.path, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
    await Bun.write(join(folder.path, 'preload.ts'), 'console.log("preloaded");\n');
    await Bun.write(join(folder.path, 'tsconfig.json'), '{}');
    return folder;
  }

  test('has no say in where the data is', async () => {
    const url = await postgres.newDatabase();
    using folder = await anotherProject(url);
    for (const words of [...SAMPLE, ['store', 'import']]) {
      const { exitCode, stdout } = await runLine(commandLine(...words), {}, folder.path);
      expect([words, exitCode, stdout]).toEqual([words, 1, '']);
    }
    expect(await tablesIn(url)).toEqual([]);
  });

  test('stops a start without the flags of the launcher, before anything is opened', async () => {
    const url = await postgres.newDatabase();
    await createStore(url);
    await makeKey({ DATABASE_URL: url }, 'theirs');
    using folder = await anotherProject(url);
    const start = (flags: string[], ...words: string[]) =>
      runLine([process.execPath, ...flags, MAIN, ...words], {}, folder.path);
    for (const [flags, file] of [
      [[], '.env'],
      [['--no-env-file'], 'bunfig.toml'],
      [['--no-env-file', '--config=/dev/null'], 'tsconfig.json'],
    ] as const) {
      const { exitCode, stderr } = await start([...flags], 'accounts', 'list');
      expect(exitCode).toBe(1);
      expect(stderr).toBe(
        `Bun has read ${join(folder.path, file)}, which may belong to another program. ` +
          'Start Animal Store with its launcher: npx --no animal-store.\n',
      );
    }
    // A file that the operator names is read.
    const named = [
      `--env-file=${join(folder.path, '.env')}`,
      ...['--config=/dev/null', '--tsconfig-override=tsconfig.json'],
    ];
    expect((await start(named, 'accounts', 'list')).stdout).toContain('theirs');
  });

  test('is not the checkout, where the flags are not necessary', async () => {
    const root = join(import.meta.dir, '../..');
    const { exitCode, stdout } = await runLine([process.execPath, MAIN, 'openapi'], {}, root);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('"openapi"');
  });

  test('cannot be the checkout, whose bunfig.toml turns .env files off', async () => {
    expect(await Bun.file('bunfig.toml').text()).toMatch(/^env = false$/m);
    using folder = temporaryFolder();
    await Bun.write(join(folder.path, '.env'), 'DATABASE_URL=sqlite:/nowhere\n');
    await Bun.write(join(folder.path, 'bunfig.toml'), await Bun.file('bunfig.toml').text());
    await Bun.write(join(folder.path, 'print.ts'), 'console.log(Bun.env.DATABASE_URL)');
    const { stdout } = await runLine([process.execPath, 'print.ts'], {}, folder.path);
    expect(stdout).toBe('undefined\n');
  });
});
