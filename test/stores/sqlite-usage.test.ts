import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { hashSecret, mintSecret } from '../../src/domain/key-secret.ts';
import { explainStoreError } from '../../src/stores/backends.ts';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { lockForServing } from '../../src/stores/sqlite/serve-lock.ts';
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

/** A data file of schema 2, which holds the counts too. It has one account and one banned key. */
function createOldDataFile(path: string, secret = mintSecret(randomBytes)): void {
  using file = new Database(path, { strict: true });
  for (const name of ['0001_create_store', '0002_count_changes']) {
    file.run(readFileSync(`migrations/sqlite/${name}.sql`, 'utf8'));
  }
  file.run('PRAGMA user_version = 2');
  file.run("INSERT INTO accounts (id, name, plan, created_at) VALUES (1, 'a', 'free', 1)");
  file.run(
    "INSERT INTO api_keys (id, account_id, hash, label, created_at) VALUES (1, 1, ?, '', 1)",
    [hashSecret(secret)],
  );
  file.run("INSERT INTO usage VALUES ('account:1', 60, 7, 0, 70)");
  file.run(`INSERT INTO penalties VALUES (1, 1, 2, 3, '[4,5]', ${BANNED_UNTIL_SECONDS}, 6, 0)`);
}

function upgrade(path: string): void {
  openDatabase(path, { safeIntegers: true }).close();
}

function tablesOf(path: string): string[] {
  using file = new Database(path);
  const query = file.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  );
  return query.all().map(({ name }) => name);
}

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

test('an upgrade moves counts, strikes and bans from the data file to the usage file', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  createOldDataFile(path);
  upgrade(path);
  expect(tablesOf(path)).toContain('pets');
  expect(tablesOf(path)).not.toContain('usage');
  expect(tablesOf(path)).not.toContain('penalties');
  expect(tablesOf(`${path}-usage`).sort()).toEqual(['penalties', 'usage']);
  expect(await countsOf(path)).toEqual({ usage: USAGE, penalties: [[1, PENALTY]] });
});

test('a key that was banned before the upgrade is still banned', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  const secret = mintSecret(randomBytes);
  createOldDataFile(path, secret);
  await using service = await serve({ DATABASE_URL: `sqlite:${path}` });
  const response = await get(service, '/pets', secret);
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ code: 'api_key_banned' });
});

test('an upgrade interrupted between the copy and the drop is repeated without loss', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  createOldDataFile(path);
  {
    using file = new Database(path);
    // A row that refers to the counts makes the drop fail.
    file.run('CREATE TABLE guard (subject TEXT REFERENCES usage (subject))');
    file.run("INSERT INTO guard VALUES ('account:1')");
  }
  expect(() => upgrade(path)).toThrow('FOREIGN KEY constraint failed');
  expect(tablesOf(path)).toContain('usage');
  expect(tablesOf(path)).toContain('penalties');
  {
    using copy = new Database(`${path}-usage`);
    expect(copy.query('SELECT day_used FROM usage').values()).toEqual([[70]]);
    expect(copy.query('SELECT bans FROM penalties').values()).toEqual([[6]]);
    using file = new Database(path);
    file.run('DROP TABLE guard');
    // The previous version goes on counting until the upgrade succeeds.
    file.run('UPDATE usage SET day_used = 71');
    file.run('UPDATE penalties SET bans = 7');
  }
  upgrade(path);
  expect(tablesOf(path)).not.toContain('usage');
  expect(await countsOf(path)).toEqual({
    usage: { ...USAGE, dayUsed: 71 },
    penalties: [[1, { ...PENALTY, bans: 7 }]],
  });
});

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

test('nothing upgrades a file while a service of the previous version serves it', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  createOldDataFile(path);
  {
    using _serving = lockForServing(path);
    const refused = [openStore(`sqlite:${path}`), importNothing(path)];
    for (const refusal of refused) {
      expect(await rejection(refusal)).toHaveProperty(
        'message',
        expect.stringContaining('Another animal-store is serving'),
      );
    }
    expect(tablesOf(path)).toContain('usage');
  }
  await (await openStore(`sqlite:${path}`))[Symbol.asyncDispose]();
  expect(tablesOf(path)).not.toContain('usage');
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
    stderr: `Usage is not known. ${unreadable}\n`,
  });
});

test('a file of another program in the place of the usage file is left alone', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  const other = 'disk usage of last week\n'.repeat(50);
  await Bun.write(`${path}-usage`, other);
  expect(() => upgrade(path)).toThrow('Move it away');
  expect(readFileSync(`${path}-usage`, 'utf8')).toBe(other);
});
