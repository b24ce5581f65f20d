import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SQL } from 'bun';
import { mintSecret } from '../../src/domain/key-secret.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let files = 0;
let server: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  server = await postgresForSuites();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Kind {
  create(): Promise<string>;
  /** Another program keeps every account and key from being changed until the result is disposed of. */
  lock(url: string): Promise<AsyncDisposable>;
}

const KINDS: Record<string, Kind> = {
  SQLite: {
    create: async () => `sqlite:${join(folder.path, `${++files}.db`)}`,
    async lock(url) {
      const file = new Database(url.slice('sqlite:'.length));
      file.run('BEGIN IMMEDIATE');
      return { [Symbol.asyncDispose]: async () => file.close() };
    },
  },
  PostgreSQL: {
    create: () => server.newDatabase(),
    async lock(url) {
      const sql = new SQL(url, { max: 1 });
      await sql.unsafe('BEGIN; SELECT FROM accounts FOR UPDATE; SELECT FROM api_keys FOR UPDATE');
      return { [Symbol.asyncDispose]: () => sql.close() };
    },
  },
};

async function openWithKey(url: string, now?: () => number) {
  const store = await backend(url, 10, now).openStore();
  const secrets = [mintSecret(randomBytes), mintSecret(randomBytes)] as const;
  const firstKey = { label: '', secret: secrets[0], expiresAtMs: null };
  const limits = PLANS.free.limits;
  await store.accounts.createAccount({ name: 'old', plan: 'free', limits, nowMs: 1, firstKey });
  const [one, other] = [store.forOperator(TEST_ORIGIN), store.forOperator(TEST_ORIGIN)];
  /** One operator rotates the key, while another renames its account. */
  const changes = () =>
    [
      one.accounts.rotateKey(1, { secret: secrets[1], overlapMs: 1_000, nowMs: 1 }),
      other.accounts.renameAccount('old', 'new'),
    ] as const;
  const change = () => Promise.all(changes());
  return { store, secrets, reader: one.accounts, changes, change };
}

describe.each(Object.entries(KINDS))('on %s', (_, kind) => {
  test('a request and an operator read while the changes of two others wait', async () => {
    const url = await kind.create();
    const { store, secrets, reader, change } = await openWithKey(url);
    await using _store = store;
    const lock = await kind.lock(url);
    const changing = change();
    // On SQLite, the changes begin to wait for the lock after 100 ms.
    for (const startMs = performance.now(); performance.now() < startMs + 500; ) {
      expect((await store.keys.findKey(secrets[0]))?.account.name).toBe('old');
      expect(await reader.listKeys('old')).toHaveLength(1);
      await new Promise(setImmediate);
    }
    expect(Bun.peek.status(changing)).toBe('pending');
    await lock[Symbol.asyncDispose]();
    const [{ successor }, renamed] = await changing;
    expect([successor.id, renamed.name]).toEqual([2, 'new']);
    expect((await store.keys.findKey(secrets[1]))?.account.name).toBe('new');
  });

  test('a change that fails before its commit changes nothing', async () => {
    let isFailing = false;
    // The audit asks for the time after the change is written.
    const now = () => {
      if (isFailing) throw new Error('failed');
      return 1;
    };
    const opened = await openWithKey(await kind.create(), now);
    const { store, secrets, reader, changes, change } = opened;
    await using _store = store;
    isFailing = true;
    const failed = { status: 'rejected', reason: { message: 'failed' } };
    expect(await Promise.allSettled(changes())).toMatchObject([failed, failed]);
    isFailing = false;
    expect(await reader.listKeys('old')).toMatchObject([{ id: 1, successorId: null }]);
    expect(await store.keys.findKey(secrets[1])).toBeUndefined();
    await change();
    expect(await reader.listKeys('new')).toHaveLength(2);
  });
});

// On PostgreSQL, each transaction has its own connection.
test('on SQLite, neither a request nor an operator sees a change before its commit', async () => {
  let look = (): Promise<unknown> => Promise.resolve();
  const seen: Promise<unknown>[] = [];
  // The audit asks for the time in the middle of a change.
  const now = () => {
    seen.push(look());
    return 1;
  };
  const opened = await openWithKey(await (KINDS['SQLite'] as Kind).create(), now);
  const { store, secrets, reader, change } = opened;
  await using _store = store;
  look = () =>
    Promise.all([store.keys.findKey(secrets[1]), reader.listKeys(), reader.listAccounts()]);
  seen.length = 0;
  await change();
  const [first, second] = (await Promise.all(seen)) as [unknown, object[], { name: string }[]][];
  expect([first?.[0], first?.[1]?.length, first?.[2]?.[0]?.name]).toEqual([undefined, 1, 'old']);
  expect([second?.[1]?.length, second?.[2]?.[0]?.name]).toEqual([2, 'old']);
  expect((await store.keys.findKey(secrets[1]))?.account.name).toBe('new');
});
