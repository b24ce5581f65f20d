import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '#domain/durations.ts';
import type { KeyFilter } from '#domain/operator/account-store.ts';
import type { AddedPeriod } from '#domain/operator/history.ts';
import { serveHere } from '../support/command.ts';
import { backend, createKey, openStore, TEST_ORIGIN } from '../support/store.ts';
import { eventually } from '../support/time.ts';
import { anHour } from '../support/values.ts';
import {
  addAccount,
  messageOf,
  NOW_MS,
  newSecret,
  once,
  openStores,
  REX,
  readHistory,
} from './databases.ts';

const stores = await openStores(() => NOW_MS);

describe.each(stores)('accounts in %s', (_, { store, url, ...database }) => {
  const { accounts } = store;

  async function newAccountWithKey(name: string) {
    const account = await addAccount(store, name);
    return { account, ...(await createKey(store, { accountName: name })) };
  }

  test('an account is created with its plan and its first key, once', async () => {
    const secret = newSecret();
    const created = await addAccount(store, 'acme', secret);
    const { firstKey: key, ...account } = created;
    expect(account).toMatchObject({ name: 'acme', plan: 'free', createdAtMs: NOW_MS });
    expect(await accounts.getAccount('acme')).toEqual(account);
    expect(await accounts.listAccounts()).toContainEqual(account);
    expect(await accounts.getAccounts([])).toEqual([]);
    expect((await store.keys.findKey(secret))?.accountId).toBe(account.id);
    expect(key?.lastFour).toBe(secret.slice(-4));
    expect(await accounts.findKey(` ${secret}\n`)).toEqual(key as typeof key & object);
    const other = newSecret();
    expect(await messageOf(accounts.findKey(other))).toBe('This store does not have this key.');
    const again = addAccount(store, 'acme', other);
    expect(await messageOf(again)).toBe('Account "acme" already exists.');
    expect(await accounts.listKeys([account.id])).toHaveLength(1);
    const sameSecret = addAccount(store, 'other-name', secret);
    expect(await messageOf(sameSecret)).not.toContain('already exists.');
  });

  test('a search finds keys by filter and account, among very many, and sums are by key', async () => {
    const own = await database.create();
    let nowMs = NOW_MS;
    await using searched = await backend(own, 1, () => nowMs).openStore();
    for (const name of ['acme', 'other']) await addAccount(searched, name);
    const days = (count: number) => NOW_MS + count * DAY_MS;
    const add = async (age: number, expires?: number, accountName = 'acme') => {
      const expiresAtMs = expires === undefined ? undefined : days(expires);
      nowMs = days(-age);
      const { id } = await createKey(searched, { accountName, expiresAtMs });
      nowMs = NOW_MS;
      return id;
    };
    const first = await add(9, 9, 'other');
    // A search that reads only one slice, or ends at the first one without a match, misses the keys after these.
    const hash = database.isFile ? 'randomblob(32)' : "sha256(('key ' || id)::bytea)";
    await database.query(
      own,
      `WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 2100)
        INSERT INTO api_keys (account_id, hash, last_four, label, created_at, scope)
        SELECT 2, ${hash}, 'AAAA', '', ${NOW_MS}, CASE WHEN id = 1 THEN 'read' ELSE 'all' END FROM ids`,
    );
    const [young, idle, expired, expiring] = [
      await add(89),
      await add(91),
      await add(99, -1),
      await add(9, 30),
    ];
    const [lasting, revoked] = [await add(9, 31), await add(99, 9)];
    await searched.accounts.revokeKey(revoked);
    const use = (keyId: number, startsAtMs: number, changes: Partial<AddedPeriod>) =>
      anHour({ keyId, startsAtMs, ...changes });
    await searched.history.add([
      use(idle, days(-91), { served: 9 }),
      use(young, NOW_MS, { served: 1, clientErrors: 2, refusedByDay: 3 }),
      use(young, NOW_MS, { serverErrors: 4, operation: 'listPets' }),
      use(lasting, NOW_MS, { refusedAtMs: NOW_MS - HOUR_MS }),
      use(expiring, NOW_MS, { refusedAtMs: NOW_MS - HOUR_MS - 1 }),
      use(revoked, NOW_MS, { refusedAtMs: NOW_MS }),
    ]);
    const search = async (filter?: KeyFilter, account?: number) => {
      const found = searched.accounts.searchKeys({ filter, accountId: account });
      return (await Array.fromAsync(found)).flat().map(({ id }) => id);
    };
    expect(await search()).toHaveLength(2_107);
    expect(await search(undefined, 1)).toEqual([young, idle, expired, expiring, lasting, revoked]);
    expect(await search('expiring')).toEqual([first, expiring]);
    expect(await search('expiring', 1)).toEqual([expiring]);
    expect(await search('read-only')).toEqual([first + 1]);
    expect(await search('revoked')).toEqual([revoked]);
    // A test clock does not change when a key was used.
    const ahead = `UPDATE accounts SET clock_offset = CASE id WHEN 1 THEN ${DAY_MS} ELSE ${91 * DAY_MS} END`;
    await database.query(own, ahead);
    expect(await search('unused')).toEqual([idle]);
    expect(await search('banned')).toEqual([lasting]);
    const { history } = searched.forOperator(TEST_ORIGIN);
    const sums = await Array.fromAsync(history.sum('key', days(-30), [1, 2]));
    const sumOf = (id: number) => sums.find(({ group }) => group === id);
    expect([sumOf(young), sumOf(idle)]).toMatchObject([
      { accountId: 1, served: 1, clientErrors: 2, refusedByDay: 3, serverErrors: 4 },
      undefined,
    ]);
    await searched.accounts.suspendAccount('acme');
    expect(await search('banned')).toEqual([]);
  });

  test('a removed account leaves nothing but its audit', async () => {
    const { account, id, secret } = await newAccountWithKey('gone');
    const { id: accountId } = account;
    // These are more rows than are deleted at once.
    for (const operation of ['a', 'b', 'c', 'd', 'e']) {
      const toHour = (keyId: number) => anHour({ accountId, keyId, operation });
      const hours = Array.from({ length: 250 }, (_, index) => toHour(index));
      await store.history.add(hours);
    }
    const { audit, openExport } = store.forOperator(TEST_ORIGIN);
    const read = () => readHistory(store, { accountId });
    expect(await read()).toHaveLength(5 * 250);
    expect(await accounts.removeAccount('gone')).toEqual(account);
    expect(await read()).toEqual([]);
    {
      await using exported = await openExport();
      expect(exported.counts).toHaveProperty('usagePeriod', 0);
    }
    const rowsOf = (table: string) =>
      database.query(url, `SELECT 1 FROM ${table} WHERE account_id = ${accountId}`);
    await accounts.finishRemovals();
    expect(await rowsOf('usage_periods')).toEqual([]);
    await store.history.add([anHour({ accountId, keyId: id })]);
    expect(await store.keys.findKey(secret)).toBeUndefined();
    expect(await messageOf(accounts.getAccount('gone'))).toBe('Account "gone" does not exist.');
    expect(await read()).toEqual([]);
    expect(await rowsOf('key_uses')).toEqual([]);
    const actions = (await audit.listChanges({ account: 'gone' })).map(({ action }) => action);
    expect(actions).toEqual(['account.remove', 'key.create', 'account.create']);
    // A request that was in flight.
    expect((await store.pets.createPet(REX, once(accountId, 'k'))).replayed).toBe(false);
    expect((await addAccount(store, 'gone')).id).toBeGreaterThan(accountId);
  });

  test('a removal that was interrupted is finished by the next start', async () => {
    const own = await database.create();
    const left = () => database.query(own, 'SELECT 1 FROM usage_periods');
    {
      await using stopped = await openStore(own, 2);
      const { id: accountId } = await addAccount(stopped, 'gone');
      await stopped.history.add([anHour({ accountId })]);
      await stopped.accounts.removeAccount('gone');
      expect(await left()).toHaveLength(1);
    }
    await using _service = await serveHere({ DATABASE_URL: own });
    await eventually(async () => (await left()).length === 0);
  });

  test('a renamed account keeps its id and its keys, and cannot take the name of another', async () => {
    const { account, secret } = await newAccountWithKey('maiden');
    const renamed = { ...account, name: 'married' };
    expect(await accounts.renameAccount('maiden', 'married')).toEqual(renamed);
    expect((await store.keys.findKey(secret))?.accountName).toBe('married');
    await addAccount(store, 'other');
    for (const [from, to, message] of [
      ['married', 'other', 'Account "other" already exists.'],
      ['nobody', 'other', 'Account "nobody" does not exist.'],
      ['married', 'married', 'Account "married" already exists.'],
    ] as const) {
      expect(await messageOf(accounts.renameAccount(from, to))).toBe(message);
    }
  });
});
