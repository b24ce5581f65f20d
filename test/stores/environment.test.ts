import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { OperatorStore } from '#domain/backend.ts';
import { backend, createKey, importPets, openStore, TEST_ORIGIN } from '../support/store.ts';
import { addAccount, messageOf, NOW_MS, once, openStores, pathOf, REX } from './databases.ts';

const REMOVAL_MS = Date.UTC(2030, 11, 5);
const NO_CLOCK = { clockSetToMs: 0, clockOffsetMs: 0 };

describe.each(await openStores())('staging in %s', (_, { store, url, create, isFile }) => {
  let commands: OperatorStore & AsyncDisposable;

  beforeAll(async () => {
    await store.environment.set('staging');
    commands = await backend(url, 2, () => NOW_MS + 7).openForCommand();
  });
  afterAll(() => commands[Symbol.asyncDispose]());

  let accounts = 0;
  const newAccount = () => addAccount(commands, `caller-${++accounts}`);

  describe('the environment of a store', () => {
    test('is that of the first service, for good', async () => {
      await store.environment.set('staging');
      expect(await messageOf(store.environment.set('production'))).toBe(
        'This store belongs to staging. Set STAGING=on, or use another DATABASE_URL.',
      );
      expect(await commands.environment.read()).toMatchObject({ environment: 'staging' });
    });

    test('is production for a store with accounts that no service has started with', async () => {
      await using imported = await openStore(await create());
      await addAccount(imported, 'old');
      expect(await messageOf(imported.environment.set('staging'))).toBe(
        'STAGING is on, but this store belongs to production. Use another DATABASE_URL.',
      );
      await imported.environment.set('production');
    });

    test('is decided once if services of both environments start together', async () => {
      await using fresh = await openStore(await create(), 2);
      const starts = await Promise.allSettled([
        fresh.environment.set('staging'),
        fresh.environment.set('production'),
      ]);
      expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('prevents exports and imports on staging', async () => {
      expect(await messageOf(commands.openExport())).toStartWith(
        'A staging store cannot be exported.',
      );
      const target = await create();
      {
        await using empty = await openStore(target);
        await empty.environment.set('staging');
      }
      expect(await messageOf(importPets(target))).toStartWith(
        'The store to import into belongs to staging',
      );
    });
  });

  test('a store has an id, which no other store has', async () => {
    const id = await store.environment.set('staging');
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(await store.environment.set('staging')).toBe(id);
    expect(await commands.environment.read()).toMatchObject({ id });
    await using other = await openStore(await create());
    expect(await other.environment.set('staging')).not.toBe(id);
  });

  describe('a reset', () => {
    test('clears the clock, counts, bans and idempotency keys of one account', async () => {
      const [tester, other] = [await newAccount(), await newAccount()];
      const key = await createKey(store, { accountName: tester.name });
      const add = async ({ id: accountId }: { id: number }) => {
        return (await store.pets.createPet(REX, once(accountId, 'k'))).replayed;
      };
      for (const account of [tester, other]) {
        await add(account);
        await store.environment.putClock(account.id, REMOVAL_MS, NOW_MS);
      }
      await commands.environment.reset(tester.name);
      const { getAccount } = commands.accounts;
      expect(await getAccount(tester.name)).toMatchObject({ ...NO_CLOCK, resets: 1 });
      expect(await getAccount(other.name)).toMatchObject({ clockSetToMs: REMOVAL_MS, resets: 0 });
      expect((await commands.accounts.getKey(key.id)).unbannedAtMs).toBe(NOW_MS + 7);
      expect([await add(tester), await add(other)]).toEqual([false, true]);
      const [entry] = await commands.audit.listChanges({ account: tester.name });
      expect(entry).toMatchObject({ action: 'account.reset', ...TEST_ORIGIN });
    });

    test('needs an account that exists, on staging', async () => {
      expect(await messageOf(commands.environment.reset('nobody'))).toContain('does not exist');
      await using production = await openStore(await create());
      await production.environment.set('production');
      await addAccount(production, 'acme');
      const { environment } = production.forOperator(TEST_ORIGIN);
      const message = await messageOf(environment.reset('acme'));
      expect(message).toStartWith('"staging reset" works only on staging');
    });
  });

  test.if(isFile)('a service starts while a command has locked the file', async () => {
    const target = await create();
    await using opened = await openStore(target);
    await opened.environment.set('production');
    using command = new Database(pathOf(target));
    command.run('BEGIN IMMEDIATE');
    await opened.environment.set('production');
  });
});
