import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';
import { FREE, newSecret, pathOf, testDatabases } from './databases.ts';

/** Another program keeps every account and key from being changed until the result is disposed of. */
async function lock(url: string, isFile: boolean): Promise<AsyncDisposable> {
  if (isFile) {
    const file = new Database(pathOf(url));
    file.run('BEGIN IMMEDIATE');
    return { [Symbol.asyncDispose]: async () => file.close() };
  }
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe('BEGIN; SELECT FROM accounts FOR UPDATE; SELECT FROM api_keys FOR UPDATE');
  return { [Symbol.asyncDispose]: () => sql.close() };
}

async function openWithKey(url: string, now?: () => number) {
  const store = await backend(url, 10, now).openStore();
  const secrets = [newSecret(), newSecret()] as const;
  const firstKey = { label: '', secret: secrets[0], expiresAtMs: null };
  await store.accounts.createAccount({ name: 'old', ...FREE, firstKey });
  const [one, other] = [store.forOperator(TEST_ORIGIN), store.forOperator(TEST_ORIGIN)];
  /** One operator rotates the key, while another renames its account. */
  const change = () =>
    Promise.all([
      one.accounts.rotateKey(1, {
        secret: secrets[1],
        overlapMs: 1_000,
        expiresAtMs: null,
        nowMs: 1,
      }),
      other.accounts.renameAccount('old', 'new'),
    ]);
  return { store, secrets, reader: one.accounts, change };
}

describe.each(testDatabases())('on %s', (_, { create, isFile }) => {
  test('a request and an operator read while the changes of two others wait', async () => {
    const url = await create();
    const { store, secrets, reader, change } = await openWithKey(url);
    await using _store = store;
    const lockOfOther = await lock(url, isFile);
    const changing = change();
    for (let turn = 0; turn < 10; turn++) {
      expect((await store.keys.findKey(secrets[0]))?.accountName).toBe('old');
      expect(await reader.listKeys('old')).toHaveLength(1);
      await Bun.sleep(10);
    }
    expect(Bun.peek.status(changing)).toBe('pending');
    await lockOfOther[Symbol.asyncDispose]();
    const [{ successor }, renamed] = await changing;
    expect([successor.id, renamed.name]).toEqual([2, 'new']);
    expect((await store.keys.findKey(secrets[1]))?.accountName).toBe('new');
  });

  // On PostgreSQL, each transaction has its own connection.
  test.if(isFile)('neither a request nor an operator sees a change before its commit', async () => {
    let look = (): Promise<unknown> => Promise.resolve();
    const seen: Promise<unknown>[] = [];
    // The audit asks for the time in the middle of a change.
    const now = () => {
      seen.push(look());
      return 1;
    };
    const opened = await openWithKey(await create(), now);
    const { store, secrets, reader, change } = opened;
    await using _store = store;
    look = () =>
      Promise.all([store.keys.findKey(secrets[1]), reader.listKeys(), reader.listAccounts()]);
    seen.length = 0;
    await change();
    const [first, second] = (await Promise.all(seen)) as [unknown, object[], { name: string }[]][];
    expect([first?.[0], first?.[1]?.length, first?.[2]?.[0]?.name]).toEqual([undefined, 1, 'old']);
    expect([second?.[1]?.length, second?.[2]?.[0]?.name]).toEqual([2, 'old']);
    expect((await store.keys.findKey(secrets[1]))?.accountName).toBe('new');
  });
});
