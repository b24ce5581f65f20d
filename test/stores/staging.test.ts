import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { OperatorStore, Store } from '../../src/domain/backend.ts';
import { hashSecret, mintSecret } from '../../src/domain/key-secret.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { platform } from '../../src/platform.ts';
import { anHour } from '../support/hour-of-use.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 10, 16);
const HOUR_MS = 3_600_000;
const REMOVAL_MS = Date.UTC(2030, 11, 5);
const FREE = { plan: 'free', limits: PLANS.free.limits, nowMs: NOW_MS } as const;
const REX = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
const NO_CLOCK = { putToMs: 0, offsetMs: 0, epoch: 1 };

const folder = temporaryFolder();
let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

let files = 0;
const NEW_URL = {
  SQLite: async () => `sqlite:${join(folder.path, `${++files}.db`)}`,
  PostgreSQL: () => postgres.newDatabase(),
};

function newKey(accountName: string, simulation?: string) {
  const hash = hashSecret(mintSecret(platform.randomBytes, true));
  return { accountName, label: '', hash, expiresAtMs: null, nowMs: NOW_MS, simulation };
}

async function messageOf(attempt: Promise<unknown>): Promise<string> {
  return ((await rejection(attempt)) as Error).message;
}

describe.each(Object.entries(NEW_URL))('staging in %s', (_, newUrl) => {
  let url: string;
  let store: Store;
  let commands: OperatorStore;

  beforeAll(async () => {
    url = await newUrl();
    store = await openStore(url, 4);
    await store.staging.claim(true);
    commands = await backend(url, 2).openForCommand(TEST_ORIGIN);
  });
  afterAll(async () => {
    await commands[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });

  let accounts = 0;
  async function newAccount(): Promise<{ id: number; name: string }> {
    return commands.accounts.createAccount({ name: `caller-${++accounts}`, ...FREE });
  }

  describe('the environment of a store', () => {
    test('is that of the first service, for good', async () => {
      await store.staging.claim(true);
      expect(await messageOf(store.staging.claim(false))).toBe(
        'This store belongs to staging. Set STAGING=on, or use another DATABASE_URL.',
      );
      expect(await commands.staging.isStaging()).toBe(true);
    });

    test('is production for a service without STAGING, even before it has accounts', async () => {
      await using production = await openStore(await newUrl());
      await production.staging.claim(false);
      await production.staging.claim(false);
      expect(await messageOf(production.staging.claim(true))).toBe(
        'STAGING is on, but this store belongs to production. Use another DATABASE_URL.',
      );
      const operator = production.forOperator(TEST_ORIGIN);
      expect(await operator.staging.isStaging()).toBe(false);
    });

    test('is production for a store with accounts that no service has claimed', async () => {
      await using upgraded = await openStore(await newUrl());
      await upgraded.accounts.createAccount({ name: 'old', ...FREE });
      expect(await messageOf(upgraded.staging.claim(true))).toBe(
        'STAGING is on, but this store has accounts of production. Use another DATABASE_URL.',
      );
      await upgraded.staging.claim(false);
    });

    test('is decided once if services of both environments start together', async () => {
      await using fresh = await openStore(await newUrl(), 2);
      const starts = await Promise.allSettled([
        fresh.staging.claim(true),
        fresh.staging.claim(false),
      ]);
      expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('of staging cannot be exported or imported into', async () => {
      expect(await messageOf(backend(url).openExport())).toBe(
        'A staging store cannot be exported. To copy it, make a backup; to copy only pets, use "pets export".',
      );
      const target = await newUrl();
      {
        await using empty = await openStore(target);
        await empty.staging.claim(true);
      }
      const nothing = (async function* () {})();
      expect(await messageOf(backend(target).importAll(nothing, 0n, TEST_ORIGIN))).toBe(
        'The store to import into belongs to staging, which would refuse the keys of an export. ' +
          'To copy pets, use "pets import". Nothing was changed.',
      );
    });
  });

  test('a store has an id, which no other store has', async () => {
    const id = await store.staging.claim(true);
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(await store.staging.claim(true)).toBe(id);
    expect(await commands.staging.readStoreId()).toBe(id);
    await using other = await openStore(await newUrl());
    expect(await other.staging.claim(true)).not.toBe(id);
  });

  describe('a simulation', () => {
    test('is stored with its key, listed and audited', async () => {
      const { id: accountId, name } = await newAccount();
      const plain = await commands.accounts.createKey(newKey(name));
      const flaky = await commands.accounts.createKey(newKey(name, 'flaky:30%'));
      const listed = await commands.accounts.listKeys(name);
      expect(listed.map(({ simulation }) => simulation)).toEqual([null, 'flaky:30%']);
      const find = (keyId: number) => store.staging.findTestState(keyId, accountId);
      expect(await find(plain.id)).toEqual({ clock: NO_CLOCK, simulation: undefined });
      expect(await find(flaky.id)).toMatchObject({ simulation: { kind: 'flaky', percent: 30 } });
      const [latest, before] = await commands.audit.listChanges({ accountId });
      expect(JSON.parse(latest?.newValue ?? '')).toMatchObject({ simulation: 'flaky:30%' });
      expect(JSON.parse(before?.newValue ?? '')).not.toHaveProperty('simulation');
    });

    test('passes to the successor of a rotated key', async () => {
      const { id: accountId, name } = await newAccount();
      const { id } = await commands.accounts.createKey(newKey(name, 'slow:2s'));
      const { hash } = newKey(name);
      const rotation = { hash, overlapMs: HOUR_MS, nowMs: NOW_MS };
      const { old, successor } = await commands.accounts.rotateKey(id, rotation);
      expect([old.simulation, successor.simulation]).toEqual(['slow:2s', 'slow:2s']);
      const { simulation } = await store.staging.findTestState(successor.id, accountId);
      expect(simulation).toEqual({ kind: 'slow', seconds: 2 });
    });

    test('is refused in production, and no key is created', async () => {
      await using production = await openStore(await newUrl());
      await production.staging.claim(false);
      await production.accounts.createAccount({ name: 'acme', ...FREE });
      const message = await messageOf(production.accounts.createKey(newKey('acme', 'drop')));
      expect(message).toStartWith('--simulate works only on staging');
      expect(await production.accounts.listKeys()).toEqual([]);
    });
  });

  describe('the clock of an account', () => {
    test('runs on from where it was put, and never goes back', async () => {
      const { id } = await newAccount();
      const other = await newAccount();
      const move = (to: number | 'now', nowMs: number) => store.staging.moveClock(id, to, nowMs);
      const put = { putToMs: REMOVAL_MS, offsetMs: REMOVAL_MS - NOW_MS, epoch: 1 };
      expect(await move(REMOVAL_MS, NOW_MS)).toEqual({ clock: put, isMoved: true });
      // A client may send the same time with every request.
      expect(await move(REMOVAL_MS, NOW_MS + 5_000)).toEqual({ clock: put, isMoved: true });
      expect(await move(REMOVAL_MS + 4_999, NOW_MS + 5_000)).toEqual({
        clock: put,
        isMoved: false,
      });
      expect(await move(REMOVAL_MS + 5_001, NOW_MS + 5_000)).toMatchObject({
        clock: { offsetMs: REMOVAL_MS - NOW_MS + 1 },
        isMoved: true,
      });
      expect(await commands.staging.findClock(other.id)).toEqual(NO_CLOCK);
    });

    test('cannot be put before the real time', async () => {
      const { id } = await newAccount();
      const move = store.staging.moveClock(id, NOW_MS - 1, NOW_MS);
      expect(await move).toEqual({ clock: NO_CLOCK, isMoved: false });
    });

    test('that is removed takes bans and idempotency keys of its future with it', async () => {
      const { id: accountId, name } = await newAccount();
      const key = await commands.accounts.createKey(newKey(name));
      const create = (idempotencyKey: string, offsetMs = 0) =>
        store.pets.createPet(REX, { accountId, key: idempotencyKey, fingerprint: 'a', offsetMs });
      const retry = async (idempotencyKey: string) => (await create(idempotencyKey)).replayed;
      // The store measures the age of idempotency keys by its own clock.
      const nowMs = Date.now() + 1_000;
      await create('real');
      await store.staging.moveClock(accountId, nowMs + HOUR_MS, nowMs);
      await create('future', HOUR_MS);
      const { clock } = await store.staging.moveClock(accountId, 'now', nowMs);
      expect(clock).toEqual({ ...NO_CLOCK, epoch: 2 });
      expect([await retry('real'), await retry('future')]).toEqual([true, false]);
      expect((await commands.accounts.getKey(key.id)).unbannedAtMs).toBe(nowMs);
      // There is no clock to remove any more.
      const again = await store.staging.moveClock(accountId, 'now', nowMs);
      expect(again.clock.epoch).toBe(2);
    });

    test('is moved by one instance after the other', async () => {
      const { id } = await newAccount();
      const times = Array.from({ length: 8 }, (_, index) => REMOVAL_MS + index);
      await Promise.all(times.map((to) => store.staging.moveClock(id, to, NOW_MS)));
      expect((await commands.staging.findClock(id)).putToMs).toBe(REMOVAL_MS + 7);
    });
  });

  describe('a reset', () => {
    test('removes what an account did, and leaves other accounts alone', async () => {
      const [tester, other] = [await newAccount(), await newAccount()];
      const key = await commands.accounts.createKey(newKey(tester.name));
      const add = async ({ id: accountId }: { id: number }) => {
        const once = { accountId, key: 'once', fingerprint: 'a', offsetMs: 0 };
        const { pet } = await store.pets.createPet(REX, once);
        await store.staging.addPet(accountId, pet.id);
        await store.staging.addPet(accountId, pet.id);
        return pet.id;
      };
      const [mine, theirs] = [await add(tester), await add(other)];
      const { pet: shared } = await store.pets.createPet(REX);
      await store.staging.moveClock(tester.id, REMOVAL_MS, NOW_MS);
      await store.staging.moveClock(other.id, REMOVAL_MS, NOW_MS);
      const use = (accountId: number) => anHour({ accountId, keyId: key.id, served: 1 });
      const hours = [use(tester.id), use(other.id)];
      await store.history.add(hours);

      expect(await commands.staging.reset(tester.name, NOW_MS + 7)).toEqual({ pets: 1 });
      expect(await store.pets.getPet(mine)).toBeUndefined();
      expect(await store.pets.getPet(theirs)).toBeDefined();
      expect(await store.pets.getPet(shared.id)).toBeDefined();
      expect(await commands.staging.findClock(tester.id)).toEqual({ ...NO_CLOCK, epoch: 2 });
      expect(await commands.staging.findClock(other.id)).toMatchObject({ putToMs: REMOVAL_MS });
      expect((await commands.accounts.getKey(key.id)).unbannedAtMs).toBe(NOW_MS + 7);
      expect([...(await commands.history.lastUses(tester.id))]).toEqual([]);
      expect((await commands.history.lastUses(other.id)).size).toBe(1);
      // The idempotency key is free again.
      expect(await add(tester)).not.toBe(mine);

      const [{ action, newValue, operator } = {}] = await commands.audit.listChanges({
        accountId: tester.id,
      });
      expect({ action, operator }).toEqual({ action: 'account.reset', operator: 'tester' });
      expect(JSON.parse(newValue ?? '')).toEqual({ name: tester.name, removedPets: 1 });
    });

    test('starts another epoch each time, so that nothing counted before counts', async () => {
      const { id, name } = await newAccount();
      for (let times = 0; times < 2; times++) await commands.staging.reset(name, NOW_MS);
      expect((await commands.staging.findClock(id)).epoch).toBe(3);
    });

    test('does not count a pet that an operator has removed', async () => {
      const { id, name } = await newAccount();
      const { pet } = await store.pets.createPet(REX);
      await store.staging.addPet(id, pet.id);
      await commands.openPets().removePet(pet.id);
      expect(await commands.staging.reset(name, NOW_MS)).toEqual({ pets: 0 });
    });

    test('needs an account that exists, on staging', async () => {
      expect(await messageOf(commands.staging.reset('nobody', NOW_MS))).toContain('does not exist');
      await using production = await openStore(await newUrl());
      await production.staging.claim(false);
      await production.accounts.createAccount({ name: 'acme', ...FREE });
      const { staging } = production.forOperator(TEST_ORIGIN);
      const message = await messageOf(staging.reset('acme', NOW_MS));
      expect(message).toStartWith('"staging reset" works only on staging');
    });
  });
});

test('a service starts while a command has locked the file', async () => {
  const path = join(folder.path, 'locked.db');
  await using store = await openStore(`sqlite:${path}`);
  await store.staging.claim(false);
  using command = new Database(path);
  command.run('BEGIN IMMEDIATE');
  await store.staging.claim(false);
});
