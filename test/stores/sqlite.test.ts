import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownKey } from '../../src/domain/api-key.ts';
import type { Store } from '../../src/domain/backend.ts';
import { OperatorError, StoreUnavailableError } from '../../src/domain/error.ts';
import { mintSecret } from '../../src/domain/key-secret.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { cachedKeyFinder } from '../../src/stores/cached/cached-key-finder.ts';
import { cachedPetStore } from '../../src/stores/cached/cached-pet-store.ts';
import { hashSecret } from '../../src/stores/sql/tables.ts';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { Clock } from '../support/clock.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { requireProgram } from '../support/programs.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { accountStoreSuite } from './account-store-suite.ts';
import { petStoreSuite } from './pet-store-suite.ts';

async function openInFolder(): Promise<Store> {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(temporaryFolder());
  const store = resources.use(await openStore(`sqlite:${join(folder.path, 'store.db')}`));
  return { ...store, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

petStoreSuite('pets in SQLite', openInFolder);
accountStoreSuite('accounts in SQLite', openInFolder);

const REX = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

test('idempotency keys expire by the clock of the machine, and are then deleted', async () => {
  using folder = temporaryFolder();
  const clock = new Clock();
  const database = backend(`sqlite:${join(folder.path, 'store.db')}`, 1, clock.now);
  await using store = await database.openStore();
  const { id: accountId } = await store.accounts.createAccount({
    ...{ name: 'writer', plan: 'free', limits: PLANS.free.limits, nowMs: clock.now() },
  });
  const create = async (key: string) => {
    const once = { accountId, key, fingerprint: '', offsetMs: 0 };
    return (await store.pets.createPet(REX, once)).replayed;
  };
  await create('a');
  await create('b');
  clock.advance(86_399);
  expect(await create('a')).toBe(true);
  clock.advance(1);
  expect(await create('a')).toBe(false);
  await using stored = await database.openExport();
  expect(stored.counts.idempotencyKey).toBe(1);
});

describe('the data file', () => {
  test('uses WAL mode and full syncs on every connection', () => {
    using folder = temporaryFolder();
    const database = openDatabase(join(folder.path, 'store.db'));
    expect(database.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.query('PRAGMA synchronous').get()).toEqual({ synchronous: 2n });
    database.close();
  });

  test('is refused if it does not support WAL mode', () => {
    expect(() => openDatabase(':memory:')).toThrow('does not support journal_mode=WAL');
  });

  test('is served by one service at a time', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    {
      await using _first = await openStore(`sqlite:${path}`);
      expect(await rejection(openStore(`sqlite:${path}`))).toHaveProperty(
        'message',
        expect.stringContaining('Another animal-store is serving'),
      );
    }
    await using second = await openStore(`sqlite:${path}`);
    expect(await second.isReady()).toBe(true);
  });

  test('is refused if a newer version wrote it', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    const newer = new Database(path);
    newer.run('PRAGMA user_version = 999');
    newer.close();
    expect(() => openDatabase(path)).toThrow(OperatorError);
  });

  test('is named in the error if it is not a database', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    await Bun.write(
      path,
      'not a database, but long enough to look like one at first glance'.repeat(9),
    );
    expect(await rejection(openStore(`sqlite:${path}`))).toHaveProperty(
      'message',
      expect.stringContaining(`Cannot open the data file ${path}`),
    );
  });

  test('never reuses the id of a deleted pet, even after a restart', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    let lastId: bigint;
    {
      await using store = await openStore(`sqlite:${path}`);
      await store.pets.createPet(REX);
      lastId = (await store.pets.createPet(REX)).pet.id;
    }
    const database = openDatabase(path);
    database.run('DELETE FROM pets WHERE id = (SELECT max(id) FROM pets)');
    database.close();
    await using store = await openStore(`sqlite:${path}`);
    expect((await store.pets.createPet(REX)).pet.id).toBe(lastId + 1n);
  });

  test('returns every digit of an id above 2^53', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    await using store = await openStore(`sqlite:${path}`);
    const { pet: first } = await store.pets.createPet(REX);
    const database = openDatabase(path);
    database.query('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').run(2n ** 53n, 'pets');
    database.close();
    const { pet } = await store.pets.createPet(REX);
    expect(pet.id).toBe(2n ** 53n + 1n);
    expect(await store.pets.getPet(pet.id)).toEqual(pet);
    expect(await store.pets.listPets({ after: first.id, limit: 9 })).toEqual([pet]);
  });

  test('is intact for an older SQLite, with entries of the audit that have no old or new value', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    {
      await using store = await openStore(`sqlite:${path}`);
      const limits = PLANS.free.limits;
      await store.accounts.createAccount({ name: 'a', plan: 'free', limits, nowMs: 1 });
      const { pet } = await store.pets.createPet(REX);
      await store.forOperator(TEST_ORIGIN).openPets().removePet(pet.id);
    }
    const check = [requireProgram('sqlite3'), path, 'PRAGMA integrity_check'];
    expect(Bun.spawnSync(check).stdout.toString()).toBe('ok\n');
  });

  test('reads a page of one status from the index, in order', () => {
    using folder = temporaryFolder();
    const database = openDatabase(join(folder.path, 'store.db'));
    const plan = database
      .query(
        'EXPLAIN QUERY PLAN SELECT * FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?',
      )
      .safeIntegers(false)
      .all('sold', 5, 20);
    database.close();
    expect(JSON.stringify(plan)).toContain('pets_by_status (status=? AND rowid>?)');
    expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
  });
});

describe('the caches of a data file', () => {
  /** A store with one key, its caches, and a second connection to the file, like that of a command. */
  async function openTwice() {
    const resources = new AsyncDisposableStack();
    const path = join(resources.use(temporaryFolder()).path, 'store.db');
    const store = resources.use(await openStore(`sqlite:${path}`));
    const file = openDatabase(path);
    resources.defer(() => file.close());
    const secret = mintSecret(randomBytes);
    const firstKey = { label: '', secret, expiresAtMs: null };
    const limits = PLANS.free.limits;
    await store.accounts.createAccount({ name: 'a', plan: 'free', limits, nowMs: 1, firstKey });
    const pets = cachedPetStore(store.pets, store.revision);
    const keys = cachedKeyFinder(store.keys, store.revision, Date.now);
    const findKey = async () => keys.findKey(secret);
    const dispose = () => resources.disposeAsync();
    return { store, pets, keys, findKey, file, [Symbol.asyncDispose]: dispose };
  }

  test('return the same key until it changes', async () => {
    await using opened = await openTwice();
    const { store, findKey, file } = opened;
    const key = await findKey();
    expect(await findKey()).toBe(key as KnownKey);
    await store.pets.createPet(REX);
    await Bun.sleep(10);
    expect(await findKey()).toBe(key as KnownKey);
    file.run("UPDATE accounts SET name = 'b'");
    await Bun.sleep(10);
    expect((await findKey())?.account.name).toBe('b');
  });

  test('are invalidated at once when this process writes', async () => {
    await using opened = await openTwice();
    const { findKey } = opened;
    const { accounts } = opened.store;
    const id = (await findKey())?.key.id as number;
    await accounts.setPlan('a', 'pro', PLANS.pro.limits);
    expect((await findKey())?.account.plan).toBe('pro');
    await accounts.suspendAccount('a', { reason: undefined, nowMs: 2 });
    expect((await findKey())?.account.suspendedAtMs).toBe(2);
    await accounts.resumeAccount('a');
    expect((await findKey())?.account.suspendedAtMs).toBeNull();
    await accounts.unbanKey(id, 2);
    expect((await findKey())?.key.unbannedAtMs).toBe(2);
    const successor = { secret: mintSecret(randomBytes), overlapMs: 10, nowMs: 3 };
    await accounts.rotateKey(id, successor);
    expect((await findKey())?.key.expiresAtMs).toBe(13);
    await accounts.revokeKey(id, 4);
    expect((await findKey())?.key.revokedAtMs).toBe(4);
  });

  test.each([
    "UPDATE pets SET name = 'Tom'",
    'DELETE FROM pets',
    'UPDATE api_keys SET revoked_at = 5',
    'UPDATE accounts SET suspended_at = 5',
    'DELETE FROM api_keys',
  ])('are invalidated by %s in another process', async (sql) => {
    await using opened = await openTwice();
    const { findKey, pets, file } = opened;
    const { pet } = await pets.createPet(REX);
    const readBoth = async () => [await findKey(), await pets.getPet(pet.id)];
    const before = await readBoth();
    file.run(sql);
    await Bun.sleep(10);
    expect(await readBoth()).not.toEqual(before);
  });

  test('find a key that another process creates after a failed lookup', async () => {
    await using opened = await openTwice();
    const { keys, file } = opened;
    const secret = mintSecret(randomBytes);
    expect(await keys.findKey(secret)).toBeUndefined();
    const insert =
      "INSERT INTO api_keys (account_id, hash, label, created_at) VALUES (1, ?, '', 1)";
    file.run(insert, [hashSecret(secret)]);
    await Bun.sleep(10);
    expect((await keys.findKey(secret))?.account.name).toBe('a');
  });

  test('find at once a key that this process creates after a failed lookup', async () => {
    await using opened = await openTwice();
    const { keys } = opened;
    const { accounts } = opened.store;
    const [first, second] = [mintSecret(randomBytes), mintSecret(randomBytes)];
    expect(await keys.findKey(first)).toBeUndefined();
    const defaults = { label: '', expiresAtMs: null };
    await accounts.createKey({ ...defaults, accountName: 'a', secret: first, nowMs: 1 });
    expect(await keys.findKey(first)).toBeDefined();
    expect(await keys.findKey(second)).toBeUndefined();
    const firstKey = { ...defaults, secret: second };
    const limits = PLANS.free.limits;
    await accounts.createAccount({ name: 'b', plan: 'free', limits, nowMs: 1, firstKey });
    expect((await keys.findKey(second))?.account.name).toBe('b');
  });

  test('throw StoreUnavailableError when the file is corrupt', async () => {
    await using opened = await openTwice();
    const { pets, findKey, file } = opened;
    const { pet } = await pets.createPet(REX);
    expect(await pets.getPet(pet.id)).toEqual(pet);
    file.run('PRAGMA wal_checkpoint(TRUNCATE)');
    file.run("INSERT INTO accounts (name, plan, created_at) VALUES ('b', 'free', 1)");
    truncateSync(file.filename, 4_096);
    await Bun.sleep(10);
    const readPet = Promise.try(() => pets.getPet(pet.id));
    expect(await rejection(readPet)).toBeInstanceOf(StoreUnavailableError);
    expect(await rejection(findKey())).toBeInstanceOf(StoreUnavailableError);
  });

  test('do not cache that a pet does not exist', async () => {
    await using opened = await openTwice();
    const { pets, file } = opened;
    expect(await pets.getPet(7n)).toBeUndefined();
    file.run("INSERT INTO pets (id, name, category_id, status) VALUES (7, 'Rex', 1, 'sold')");
    expect(await pets.getPet(7n)).toMatchObject({ name: 'Rex' });
  });

  test('return the same page until anything is written', async () => {
    await using opened = await openTwice();
    const { pets, file } = opened;
    const page = await pets.listPets({ limit: 9 });
    await Bun.sleep(10);
    expect(await pets.listPets({ limit: 9 })).toBe(page);
    await pets.createPet(REX);
    expect(await pets.listPets({ limit: 9 })).toMatchObject([{ name: 'Rex' }]);
    file.run("INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold')");
    await Bun.sleep(10);
    expect(await pets.listPets({ limit: 9 })).toMatchObject([{ name: 'Rex' }, { name: 'Tom' }]);
  });
});

test('deleted counts and penalties are gone from the usage file', async () => {
  using folder = temporaryFolder();
  await using store = await openStore(`sqlite:${join(folder.path, 'store.db')}`);
  const { journal } = store;
  const usage = {
    ...{ minuteStartSeconds: 1, minuteUsed: 2, dayStartSeconds: 3, dayUsed: 4 },
  };
  const penalty = {
    ...{ refusedUntilSeconds: 1, firstRefusedAtSeconds: 2, refusals: 3, strikes: [4, 5] },
    ...{ bannedUntilSeconds: 6, bans: 7, unbannedAtMs: 8 },
  };
  await journal.save({ usages: [['account:1', usage]], penalties: [[1, penalty]] });
  expect(journal.findUsage('account:1')).toEqual(usage);
  expect(journal.loadPenalties()).toEqual([[1, penalty]]);
  await journal.save({ usages: [['account:1', undefined]], penalties: [[1, undefined]] });
  expect(journal.findUsage('account:1')).toBeUndefined();
  expect(journal.loadPenalties()).toEqual([]);
});

test('a locked data file fails creations but not reads, until the lock is released', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  await using store = await openStore(`sqlite:${path}`);
  const { pet } = await store.pets.createPet(REX);

  const other = openDatabase(path);
  other.run('BEGIN IMMEDIATE');
  const refused = await rejection(store.pets.createPet(REX));
  expect(refused).toBeInstanceOf(StoreUnavailableError);
  expect(await store.pets.getPet(pet.id)).toEqual(pet);

  other.run('ROLLBACK');
  other.close();
  expect((await store.pets.createPet(REX)).pet.id).toBe(pet.id + 1n);
});
