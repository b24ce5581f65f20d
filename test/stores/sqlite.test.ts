import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import type { FileBackups, Store } from '#domain/backend.ts';
import { PLANS } from '#domain/plan.ts';
import { cachedKeyFinder } from '#stores/cached/cached-key-finder.ts';
import { cachedPetReader } from '#stores/cached/cached-pet-reader.ts';
import { lockForServing } from '#stores/sqlite/data-file.ts';
import { DATA, migrateFile, openDatabase } from '#stores/sqlite/database.ts';
import { lacks, requireProgram } from '../support/programs.ts';
import { backend, createStore, importPets, openStore, TEST_ORIGIN } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { Clock, eventually, rejection, succeeds } from '../support/time.ts';
import { addAccount, causeOf, messageOf, newSecret, once, REX } from './databases.ts';

test('idempotency keys expire by the clock of the machine, and are then deleted', async () => {
  const clock = new Clock();
  const database = backend(newFile().url, 1, clock.now);
  await using store = await database.openStore();
  const { id: accountId } = await addAccount(store, 'writer');
  const create = async (key: string) =>
    (await store.pets.createPet(REX, once(accountId, key))).replayed;
  await create('a');
  await create('b');
  clock.advance(86_399);
  expect(await create('a')).toBe(true);
  clock.advance(1);
  expect(await create('a')).toBe(false);
  await using stored = await store.forOperator(TEST_ORIGIN).openExport();
  expect(stored.counts.idempotencyKey).toBe(1);
});

const SERVED = 'Another animal-store is serving';

/** Expects that the store confirms nothing and is not ready. */
async function expectUnusable(store: Store, reason: string): Promise<void> {
  for (const use of [
    () => store.pets.createPet(REX),
    () => store.history.add([]),
    () => store.forOperator(TEST_ORIGIN).pets.addPet(REX),
    store.isReady,
  ]) {
    expect(await causeOf(use())).toContain(reason);
  }
}

/** Cuts the log of a data file. The connection has a page in its cache, and writes it again, behind the gap. */
function openWithGap(path: string): Database {
  const other = openDatabase(path);
  const change = () => other.run('UPDATE revision SET number = number + 1');
  change();
  truncateSync(`${path}-wal`);
  change();
  return other;
}

describe('the data file', () => {
  test('is not changed by a start that is refused because another process serves it', async () => {
    const { path, url } = newFile();
    {
      using old = new Database(path);
      migrateFile(old, { ...DATA, migrations: DATA.migrations.slice(0, 1) });
    }
    const content = await Bun.file(path).bytes();
    using _served = lockForServing(path);
    expect(await messageOf(openStore(url))).toStartWith(SERVED);
    expect(await Bun.file(path).bytes()).toEqual(content);
  });

  test('uses WAL mode and full syncs on every connection', () => {
    using database = openDatabase(newFile().path);
    for (const [name, value] of Object.entries({
      journal_mode: 'wal',
      synchronous: 2n,
      busy_timeout: 5_000n,
      foreign_keys: 1n,
      journal_size_limit: 2n ** 24n,
    })) {
      expect([name, ...database.query(`PRAGMA ${name}`).values()]).toEqual([name, [value]]);
    }
    expect(() => openDatabase(':memory:')).toThrow('does not support journal_mode=WAL');
  });

  test('is read as of one moment within a turn of the event loop, and not locked after it', async () => {
    const { path, url } = newFile();
    await using store = await openStore(url);
    using other = openDatabase(path);
    const add = () =>
      other.run(`INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'sold')`);
    const count = () => (store.pets.listPets({ limit: 9 }) as readonly unknown[]).length;
    expect(count()).toBe(0);
    add();
    expect(count()).toBe(0);
    await new Promise(setImmediate);
    expect(count()).toBe(1);
    add();
    expect(await store.isReady()).toBeTrue();
    expect(count()).toBe(2);
    // A change shows at once, whatever was read in its turn.
    const whileReading = async (results: Promise<unknown>) => {
      while (Bun.peek.status(results) === 'pending') {
        count();
        await new Promise(setImmediate);
      }
      expect(await results).toBeTruthy();
    };
    const { accounts, pets } = store;
    const account = addAccount(store, 'a');
    await whileReading(account.then(() => accounts.getAccount('a')));
    for (let creation = 1; creation <= 20; creation++) {
      await whileReading(pets.createPet(REX).then(({ pet }) => pets.getPet(pet.id)));
    }
    await new Promise(setImmediate);
    expect(other.query('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0n });
  });

  test.each([
    ['emptied', '-usage', (path: string) => truncateSync(path)],
    ['gone', '-wal', (path: string) => rmSync(path)],
  ])('is not created again if it is %s, but its %s file is there', async (_, rest, lose) => {
    const { path, url } = newFile();
    await createStore(url);
    rmSync(`${path}-usage`);
    await Bun.write(`${path}${rest}`, 'x');
    lose(path);
    for (const open of [openStore, importPets]) {
      expect(await messageOf(open(url))).toStartWith(
        `The data file ${path} is missing or empty, but ${path}${rest} shows `,
      );
    }
  });

  test.each(['.link', '-wal', '-shm'])(
    'confirms nothing if the file %s was replaced',
    async (suffix) => {
      const { folder, path } = newFile();
      const url = `sqlite:${path}.link`;
      symlinkSync(path, `${path}.link`);
      await using store = await openStore(url);
      // The store cannot be opened under the name without the link either.
      for (const open of [openStore, importPets]) {
        expect(await messageOf(open(`sqlite:${path}`))).toStartWith(SERVED);
      }
      expect(readdirSync(folder).join()).not.toContain('journal');
      await store.pets.createPet(REX);
      const file = `${path}${suffix}`;
      renameSync(file, `${file}.old`);
      copyFileSync(`${file}.old`, file);
      await expectUnusable(store, `${file} was deleted, moved or replaced`);
      renameSync(`${file}.old`, file);
      expect(await store.isReady()).toBe(true);
      expect(await store.pets.listPets({ limit: 9 })).toHaveLength(1);
    },
  );

  test.each([
    ['all of it', (log: string) => truncateSync(log)],
    ['its end', (log: string, bytes: number) => truncateSync(log, bytes - 1)],
    [
      'a part before the end, as if a commit had come right after a cut',
      (log: string, bytes: number) => {
        truncateSync(log, bytes / 2);
        truncateSync(log, bytes);
      },
    ],
  ])('confirms nothing more if its log loses %s', async (_, cut) => {
    const { path, url } = newFile();
    const log = `${path}-wal`;
    await using store = await openStore(url);
    using other = openDatabase(path);
    other.run('PRAGMA wal_checkpoint(TRUNCATE)');
    for (let pet = 0; pet < 5; pet++) await store.pets.createPet(REX);
    const bytes = store.logBytes?.() ?? 0;
    expect(bytes).toBe(Bun.file(log).size);
    cut(log, bytes);
    await expectUnusable(store, 'The -wal file was cut');
  });

  test('is not used by a command or a backup if its log was cut, even if no page is missing', async () => {
    const { path, url } = newFile();
    await createStore(url);
    using _other = openWithGap(path);
    const { openForCommand, backups } = backend(url);
    const { backup } = backups as FileBackups;
    for (const use of [openForCommand(), backup(`${path}.backup`, {})]) {
      expect(await messageOf(use)).toContain('The -wal file was cut,');
    }
  });

  test('does not receive a gap of the log when it is closed, even if nobody noticed the gap', async () => {
    const { path, url } = newFile();
    const store = await backend(url).openStore();
    await store.pets.createPet(REX);
    openWithGap(path).close();
    await store[Symbol.asyncDispose]();
    // The next start recovers what is left. A checkpoint would have deleted the log.
    expect(existsSync(`${path}-wal`)).toBe(true);
  });

  test('can be opened while it is locked, and is not ready after a lock stopped a creation, or if it is empty', async () => {
    const { path, url } = newFile();
    await using store = await backend(url, 1, Date.now, 1_000).openStore();
    const isReady = () => store.isReady().catch(() => false);
    const create = () => store.pets.createPet(REX);
    using other = openDatabase(path);
    other.run('BEGIN IMMEDIATE');
    openDatabase(path).close();
    expect(await isReady()).toBe(true);
    // The first may be given up before SQLite gives up the lock.
    await eventually(async () => (await causeOf(create())).includes('locked'));
    await rejection(store.forOperator(TEST_ORIGIN).pets.addPet(REX));
    expect(await isReady()).toBe(false);
    other.run('ROLLBACK');
    await eventually(isReady);
    await eventually(() => succeeds(create()));
    other.run('PRAGMA wal_checkpoint(TRUNCATE)');
    truncateSync(path);
    expect(await isReady()).toBe(false);
  });

  test.skipIf(lacks('sqlite3'))(
    'is intact for an older SQLite, with entries of the audit that have no old or new value',
    async () => {
      const { path, url } = newFile();
      {
        await using store = await openStore(url);
        await addAccount(store, 'a');
        const { pet } = await store.pets.createPet(REX);
        await store.forOperator(TEST_ORIGIN).pets.removePet(pet.id);
      }
      const check = [requireProgram('sqlite3'), path, 'PRAGMA integrity_check'];
      expect(Bun.spawnSync(check).stdout.toString()).toBe('ok\n');
    },
  );
});

describe('the caches of a data file', () => {
  /** A store with one key, its caches, and a second connection to the file, like that of a command. */
  async function openTwice() {
    const resources = new AsyncDisposableStack();
    const { path, url } = newFile();
    const store = resources.use(await openStore(url));
    const file = resources.use(openDatabase(path));
    const secret = newSecret();
    await addAccount(store, 'a', secret);
    const pets = cachedPetReader(store.pets, store.revision);
    const keys = cachedKeyFinder(store.keys, store.revision, Date.now);
    const findKey = async () => keys.findKey(secret);
    const dispose = () => resources.disposeAsync();
    return { store, pets, keys, findKey, file, [Symbol.asyncDispose]: dispose };
  }

  test('are invalidated at once when this process writes', async () => {
    await using opened = await openTwice();
    const { findKey, keys, store } = opened;
    const { accounts } = store;
    const key = await findKey();
    await store.pets.createPet(REX);
    expect(await findKey()).toBe(key as NonNullable<typeof key>);
    await accounts.setPlan('a', 'pro', PLANS.pro.limits);
    expect(await findKey()).toMatchObject(PLANS.pro.limits);
    const secret = newSecret();
    expect(await keys.findKey(secret)).toBeUndefined();
    const created = { accountName: 'a', label: '', secret, expiresAtMs: null, nowMs: 1 };
    await accounts.createKey(created);
    expect(await keys.findKey(secret)).toBeDefined();
  });

  test.each([
    "UPDATE pets SET name = 'Tom'",
    'DELETE FROM pets',
    'UPDATE api_keys SET revoked_at = 5',
    'UPDATE accounts SET suspended_at = 5',
    'DELETE FROM api_keys',
    "INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold')",
  ])('are invalidated by %s in another process', async (sql) => {
    await using opened = await openTwice();
    const { findKey, pets, store, file } = opened;
    const { pet } = await store.pets.createPet(REX);
    const readAll = async () =>
      [await findKey(), await pets.getPet(pet.id), await pets.listPets({ limit: 9 })] as const;
    const before = await readAll();
    file.run(sql);
    await eventually(async () => !Bun.deepEquals(await readAll(), before));
  });
});
