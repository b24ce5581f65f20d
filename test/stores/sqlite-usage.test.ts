import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { explainStoreError } from '../../src/stores/backends.ts';
import { openUsageDatabase } from '../../src/stores/sqlite/database.ts';
import { eventually, makeKey, run, type Serving, serve } from '../support/command.ts';
import { damageFile } from '../support/damage-file.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const USAGE = {
  ...{ minuteStartSeconds: 60, minuteUsed: 7, dayStartSeconds: 0, dayUsed: 70 },
};
/** Within the longest ban. */
const BANNED_UNTIL_SECONDS = Math.floor(Date.now() / 1000) + 600;

const PENALTY = {
  ...{ refusedUntilSeconds: 1, firstRefusedAtSeconds: 2, refusals: 3, strikes: [4, 5] },
  ...{ bannedUntilSeconds: BANNED_UNTIL_SECONDS, bans: 6, unbannedAtMs: 0 },
};

async function countsOf(path: string) {
  await using store = await openStore(`sqlite:${path}`);
  return {
    usage: store.journal.findUsage('account:1'),
    penalties: store.journal.loadPenalties(),
  };
}

function importNothing(path: string): Promise<void> {
  async function* nothing() {}
  return backend(`sqlite:${path}`).importAll(nothing(), 0n, TEST_ORIGIN);
}

function get(service: Serving, path: string, secret = service.started.demoKey) {
  return fetch(`${service.started.api}${path}`, { headers: { Authorization: `Bearer ${secret}` } });
}

function addPet(service: Serving): Promise<Response> {
  return fetch(`${service.started.api}/pets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.started.demoKey}`,
      'Content-Type': 'application/json',
    },
    body: '{"name":"Rex","categoryId":1}',
  });
}

test('reads do not change the data file, although their counts are saved', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  await using service = await serve({ DATABASE_URL: `sqlite:${path}` });
  using data = new Database(path, { readonly: true });
  using usage = new Database(`${path}-usage`, { readonly: true });
  const versionOf = (file: Database) => file.query('PRAGMA data_version').get();
  const before = { data: versionOf(data), usage: versionOf(usage) };

  expect((await get(service, '/pets')).status).toBe(200);
  expect((await get(service, '/pets/1')).status).toBe(404);
  await eventually(() => usage.query('SELECT * FROM usage').all().length === 1);
  expect(versionOf(usage)).not.toEqual(before.usage);
  expect(versionOf(data)).toEqual(before.data);

  expect((await addPet(service)).status).toBe(201);
  expect(versionOf(data)).not.toEqual(before.data);
});

test('deleting the usage file between two runs loses nothing but the counts', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${path}` };
  let demoKey: string | undefined;
  {
    await using service = await serve(settings);
    ({ demoKey } = service.started);
    expect((await addPet(service)).status).toBe(201);
    expect((await get(service, '/pets')).status).toBe(200);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  }
  rmSync(`${path}-usage`);
  await using service = await serve(settings);
  const response = await get(service, '/pets/1', demoKey);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 1, name: 'Rex' });
  expect(response.headers.get('x-ratelimit-remaining')).toBe('59');
});

test('a lost data file is not replaced by an empty store while its counts are there', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  {
    await using store = await openStore(`sqlite:${path}`);
    await store.journal.save({ usages: [['account:1', USAGE]], penalties: [[1, PENALTY]] });
  }
  rmSync(path);
  const refusal =
    `The data file ${path} is missing or empty, but ${path}-usage shows that there was a store. ` +
    `Put the file back or restore a backup. To begin a new store instead, delete ${path}-usage.`;
  expect(await rejection(openStore(`sqlite:${path}`))).toHaveProperty('message', refusal);
  expect(await rejection(importNothing(path))).toHaveProperty('message', refusal);
  expect(existsSync(path)).toBe(false);
  rmSync(`${path}-usage`);
  expect(await countsOf(path)).toEqual({ usage: undefined, penalties: [] });
});

test('a damaged usage file is named wherever it is read or written', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${path}` };
  await makeKey(settings, 'a');
  // The second page has the counts, the third the bans.
  damageFile(`${path}-usage`, 4_096, 8_192);
  const text = (verb: string) =>
    `Cannot ${verb} ${path}-usage: database disk image is malformed. It is damaged. Stop the service, ` +
    'and delete the file or move it away: that loses at most the counts and bans of today.';
  const unreadable = text('read the counts file');

  await using store = await openStore(settings.DATABASE_URL);
  const unread = await rejection(Promise.try(() => store.journal.findUsage('account:1')));
  expect(unread).toBeInstanceOf(StoreUnavailableError);
  expect(explainStoreError((unread as Error).cause)).toBe(unreadable);
  const unsaved = store.journal.save({ usages: [['account:1', USAGE]], penalties: [] });
  expect(await rejection(unsaved)).toMatchObject({ cause: { message: text('write') } });
  expect(await run(settings, 'accounts', 'list')).toMatchObject({
    exitCode: 0,
    stderr: `Counts and bans are not known. ${unreadable}\n`,
  });
});

test('a file of another program in the place of the usage file is left alone', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  const other = 'disk usage of last week\n'.repeat(50);
  await Bun.write(`${path}-usage`, other);
  expect(() => openUsageDatabase(path)).toThrow('Move it away');
  expect(readFileSync(`${path}-usage`, 'utf8')).toBe(other);
});
