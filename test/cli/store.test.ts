import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import {
  commandLine,
  makeKey,
  run,
  runJson,
  runLine,
  runWith,
  type Settings,
  serve,
} from '../support/command.ts';
import { createStore } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { testFiles } from '../support/test-files.ts';

const newFile = testFiles();
const postgres = await postgresForSuites();
/** An export of a store with every kind of record, and the secret of its key. */
let whole: string;
let secret: string;

beforeAll(async () => {
  const source = newFile().settings;
  secret = await fill(source);
  whole = await exportOf(source);
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function exportOf(settings: Settings): Promise<string> {
  const { exitCode, stdout } = await run(settings, 'store', 'export');
  expect(exitCode).toBe(0);
  return stdout;
}

/** Without the header and the entries that say that the store was moved. */
function recordsIn(text: string): string {
  const [, ...lines] = text.split('\n');
  return lines.filter((line) => !line.includes('"store.import"')).join('\n');
}

function importOf(text: string, settings: Settings) {
  return runWith({ input: () => new Blob([text]).stream() }, settings, 'store', 'import');
}

function create(api: string, body: string, headers = {}): Promise<Response> {
  const type = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  return fetch(`${api}/pets`, { method: 'POST', headers: { ...type, ...headers }, body });
}

const petOf = (name: string, categoryId: bigint) =>
  `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`;

async function fill(settings: Settings): Promise<string> {
  const key = await makeKey(settings, 'Zoë und Söhne');
  secret = key.secret;
  await runJson(settings, 'keys', 'rotate', String(key.id));
  const words = ['keys', 'create', 'Zoë und Söhne', '--expires', '90d'];
  const spare = await runJson<{ id: number }>(settings, ...words);
  await runJson(settings, 'keys', 'revoke', String(spare.id), '--yes');
  await using service = await serve(settings);
  for (const [index, name] of ['Rex', '猫 "q" \\ \u2028', "'; DROP TABLE pets; --"].entries()) {
    const pet = petOf(name, 2n ** 63n - 1n - BigInt(index));
    await create(service.started.api, pet, { 'Idempotency-Key': `k${index}` });
    await create(service.started.api, pet);
  }
  service.kill('SIGTERM');
  await service.exited;
  return secret;
}

test.skipIf(lacks('postgres'))(
  'a store moves from SQLite to PostgreSQL and back without changing a byte',
  async () => {
    expect(whole).not.toContain(secret);
    for (const kind of ['account', 'key', 'pet', 'idempotencyKey', 'usagePeriod', 'keyUse']) {
      expect(whole).toContain(`\n{"${kind}":`);
    }
    const database = { DATABASE_URL: await postgres.newDatabase() };
    expect(await importOf(whole, database)).toMatchObject({
      exitCode: 0,
      stdout: `Imported ${whole.trimEnd().split('\n').length - 1} records.\n`,
    });
    const second = await exportOf(database);
    expect(recordsIn(second)).toBe(recordsIn(whole));
    const back = newFile().settings;
    expect((await importOf(second, back)).exitCode).toBe(0);
    expect(recordsIn(await exportOf(back))).toBe(recordsIn(whole));

    for (const settings of [database, back]) {
      await using service = await serve(settings);
      const pet = petOf('Rex', 2n ** 63n - 1n);
      const replayed = await create(service.started.api, pet, { 'Idempotency-Key': 'k0' });
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      expect(await replayed.text()).toContain('"id":1,');
      const added = await create(service.started.api, pet);
      expect(Number(/"id":(\d+)/.exec(await added.text())?.[1])).toBeGreaterThan(6);
    }
  },
);

test('an import needs an empty store that is not being served', async () => {
  const full = newFile().settings;
  await makeKey(full, 'existing');
  const refused = {
    exitCode: 1,
    stdout: '',
    stderr: 'The store to import into is not empty. Nothing was changed.\n',
  };
  expect(await importOf(whole, full)).toEqual(refused);
  if (!lacks('postgres')) {
    const database = { DATABASE_URL: await postgres.newDatabase() };
    await makeKey(database, 'existing');
    expect(await importOf(whole, database)).toEqual(refused);
  }
  await using _service = await serve(full);
  expect((await importOf(whole, full)).stderr).toStartWith('Another animal-store is serving');
});

test('a store stays empty if the file to import is truncated, invalid or not an export', async () => {
  const lines = whole.trimEnd().split('\n');
  const damaged: [text: string, message: string][] = [
    [lines.slice(0, -1).join('\n'), 'The export does not match the counts in its header.'],
    [whole.slice(0, -20), `Line ${lines.length}: not a valid record.`],
    [
      whole.replace('"account":{"id":1', '"account":{"id":1099511627776'),
      'Line 2: account.id: Too big',
    ],
    ['', 'This is not an Animal Store export.'],
    [whole.replace('{"pet":{"id":2,', '{"pet":{"id":1,'), 'The export contradicts itself: '],
    [whole.replace('"accountId":1', '"accountId":77'), 'The export contradicts itself: '],
  ];
  const targets = [newFile().settings];
  if (!lacks('postgres')) targets.push({ DATABASE_URL: await postgres.newDatabase() });
  for (const target of targets) {
    for (const [text, message] of damaged) {
      const { exitCode, stdout, stderr } = await importOf(text, target);
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toContain(message);
      expect(stderr).toContain('Nothing was changed.');
    }
    expect(await runJson<object[]>(target, 'accounts', 'list')).toEqual([]);
  }
});

test.skipIf(!existsSync('/dev/full'))(
  'a store exported to a full disk fails with one line',
  async () => {
    const { url, settings } = newFile();
    await createStore(url);
    const line = `${commandLine('store', 'export').join(' ')} > /dev/full`;
    const { stderr, exitCode } = await runLine(['sh', '-c', line], settings);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Cannot write to standard output: ENOSPC: .*\n$/);
  },
);
