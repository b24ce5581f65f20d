import { describe, expect, test } from 'bun:test';
import type { Store } from '#domain/backend.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import { MIGRATIONS } from '#stores/postgres/migrate.ts';
import { Pool } from '#stores/postgres/pool.ts';
import { connectTo, newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import {
  backend,
  createAccount,
  createKey,
  createStore,
  openStore,
  TEST_ORIGIN,
} from '../support/store.ts';
import { amount, eventually, rejection, WAIT_TIMEOUT_MS } from '../support/time.ts';
import { anHour } from '../support/values.ts';
import {
  addAccount,
  areWaiting,
  messageOf,
  newSecret,
  once,
  REX,
  readHistory,
} from './databases.ts';

/** Four instances with 16 writers each. */
const INSTANCES = 4;
const WRITERS = 16;
const CREATIONS = amount(1_500, 200_000);
const LOOKS = amount(100, 2_000);

/** The URL of a database for a new user, who may only read and write rows. */
async function asClerk(url: string) {
  const clerk = new URL(url);
  clerk.username = `clerk_${crypto.randomUUID().slice(0, 8)}`;
  await using sql = connectTo(url);
  await sql.unsafe(`CREATE ROLE ${clerk.username} LOGIN;
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${clerk.username};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${clerk.username}`);
  return clerk.href;
}

/** A service and a command get the same line. */
async function expectRefused(url: string, reason: string | RegExp) {
  const message = await messageOf(openStore(url));
  expect(message).toStartWith('Cannot use postgres://');
  expect(message).toMatch(reason);
  expect(message).toEndWith('. Check the server and DATABASE_URL.');
  expect(await messageOf(backend(url).openForCommand())).toBe(message);
}

describe.skipIf(lacks('postgres'))('a store in PostgreSQL', () => {
  /** A database with the tables of a store. */
  async function newStore() {
    const url = await newPostgresDatabase();
    await createStore(url);
    return url;
  }

  test('notices what another instance changes, and caches for half a second while the server is silent', async () => {
    const url = await newStore();
    let elapsedMs = 1_000;
    await using store = await backend(
      url,
      1,
      Date.now,
      WAIT_TIMEOUT_MS,
      () => elapsedMs,
    ).openStore();
    const { changes, expire } = store.revision;
    const unanswered = changes();
    expect(unanswered).toBeGreaterThan(0);
    await using other = await openStore(url);
    await eventually(() => changes() < 0);
    await createAccount(other, { name: 'other' });
    const before = changes();
    await other.accounts.suspendAccount('other');
    await eventually(() => changes() < before);
    const own = changes();
    expire();
    expect(changes()).toBeLessThan(own);
    elapsedMs += 500;
    expect(changes()).toBeGreaterThan(unanswered + 1);
  });

  test('has another revision after each change, but not after an addition', async () => {
    const url = await newStore();
    await using store = await openStore(url);
    await using sql = connectTo(url);
    const revision = async () => (await sql`SELECT revision()`)[0].revision;
    const before = await revision();
    await createAccount(store, { name: 'new' });
    await createKey(store, { accountName: 'new' });
    await store.pets.createPet(REX);
    expect(await revision()).toBe(before);
    const seen = new Set([before]);
    for (const table of ['pets', 'api_keys', 'accounts']) {
      for (const change of [`UPDATE ${table} SET id = id`, `DELETE FROM ${table}`]) {
        await sql.unsafe(change);
        seen.add(await revision());
      }
    }
    await sql`UPDATE recent_changes SET made_at = now() + interval '1 hour'`;
    const count = async () => (await sql`SELECT FROM recent_changes`).length;
    const counted = await count();
    await sql.begin(async (transaction) => {
      for (let time = 0; time < 3; time++) await transaction`UPDATE pets SET id = id`;
    });
    expect(await count()).toBe(counted + 1);
    seen.add(await revision());
    // Old changes are removed with the next one, and the revision is still another one.
    await sql`UPDATE recent_changes SET made_at = now() - interval '2 minutes'`;
    await sql`UPDATE accounts SET id = id`;
    expect(await count()).toBe(1);
    seen.add(await revision());
    expect(seen.size).toBe(9);
  });

  test('deletes idempotency keys after a day, by the clock of the server', async () => {
    const url = await newPostgresDatabase();
    const ahead = () => Date.now() + 25 * 3_600_000;
    await using store = await backend(url, 1, ahead, WAIT_TIMEOUT_MS).openStore();
    const { id: accountId } = await addAccount(store, 'writer');
    const create = (key: string) => store.pets.createPet(REX, once(accountId, key));
    await using sql = connectTo(url);
    for (const age of ['23 hours', '25 hours', '26 hours']) await create(age);
    await sql`UPDATE idempotency_keys SET created_at = extract(epoch FROM now() - key::interval) * 1000`;
    expect((await create('25 hours')).replayed).toBe(false);
    expect((await create('23 hours')).replayed).toBe(true);
    const keys = await sql`SELECT key FROM idempotency_keys ORDER BY key`;
    expect(keys.map(({ key }: { key: string }) => key)).toEqual(['23 hours', '25 hours']);
  });

  test('reads the keys of one turn together, and one that it cannot use fails alone', async () => {
    const url = await newPostgresDatabase();
    await using store = await openStore(url);
    const secrets = [newSecret()];
    for (const name of ['damaged', 'sound']) {
      await addAccount(store, name);
      secrets.push((await createKey(store, { accountName: name })).secret);
    }
    await using sql = connectTo(url);
    await sql`UPDATE accounts SET plan = 'gold' WHERE name = 'damaged'`;
    const found = secrets.map(async (secret) => (await store.keys.findKey(secret))?.accountName);
    expect(await Promise.allSettled(found)).toMatchObject([
      { value: undefined },
      { status: 'rejected' },
      { value: 'sound' },
    ]);
  });

  test('hides read-only keys from version 1.0.0, which would let them write', async () => {
    const url = await newPostgresDatabase();
    await using store = await openStore(url);
    for (const scope of ['all', 'read'] as const) {
      await addAccount(store, scope);
      await createKey(store, { accountName: scope, scope });
    }
    await using sql = connectTo(url);
    const known = sql`SELECT "accountName"
      FROM known_keys(ARRAY(SELECT encode(hash, 'hex') FROM api_keys))`;
    expect(await known).toEqual([{ accountName: 'all' }]);
  });

  test('shows every pet to a reader that continues after the last id', async () => {
    const url = await newPostgresDatabase();
    await using opened = new AsyncDisposableStack();
    const stores: Store[] = [];
    while (stores.length < INSTANCES) stores.push(opened.use(await openStore(url, 4)));
    const [first] = stores as [Store];
    const { id: accountId } = await addAccount(first, 'writer');

    let started = 0;
    let isWriting = true;
    const write = async ({ pets }: Store) => {
      while (started < CREATIONS) {
        const key = once(accountId, `${started++}`);
        await pets.createPet(REX, started % 2 === 0 ? key : undefined);
      }
    };
    const follow = async ({ pets }: Store) => {
      let seen = 0;
      let after = 0n;
      for (let isLast = false; !isLast; ) {
        isLast = !isWriting;
        for (;;) {
          const page = await pets.listPets({ after, limit: 100 });
          seen += page.length;
          after = page.at(-1)?.id ?? after;
          if (page.length < 100) break;
        }
      }
      return seen;
    };
    const readers = stores.map(follow);
    const writers = stores.flatMap((store) => Array.from({ length: WRITERS }, () => write(store)));
    await Promise.all(writers);
    isWriting = false;
    expect(await Promise.all(readers)).toEqual(stores.map(() => CREATIONS));
  });

  test('is created once by ten instances that start together', async () => {
    const url = await newPostgresDatabase();
    const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(url, 2)));
    for (const store of stores) await store[Symbol.asyncDispose]();
    await using sql = connectTo(url);
    const applied = await sql`SELECT version FROM animal_store_migrations`;
    expect(applied).toHaveLength(MIGRATIONS.length);
  });

  test('treats an account that is being removed as gone', async () => {
    const url = await newPostgresDatabase();
    await using store = await openStore(url, 4);
    const { accounts, history } = store;
    for (const name of ['gone', 'stays']) await addAccount(store, name);
    const key = { accountName: 'gone', label: '', expiresAtMs: null, nowMs: 0 };
    const { id } = await accounts.createKey({ ...key, secret: newSecret() });
    const hours = [1, 2].map((accountId) => anHour({ accountId }));
    await history.add(hours);
    await using sql = connectTo(url);
    await using other = connectTo(url);
    await other.unsafe('BEGIN');
    await other`SELECT FROM accounts WHERE name = 'gone' FOR UPDATE`;
    const removal = accounts.removeAccount('gone');
    await eventually(areWaiting(sql, 1));
    const late = [
      messageOf(accounts.createKey({ ...key, secret: newSecret() })),
      messageOf(accounts.revokeKey(id)),
    ];
    const usage = Promise.all([
      history.add(hours),
      history.compact('hours', Date.UTC(2027, 10, 15)),
    ]);
    await eventually(areWaiting(sql, 5));
    await other.unsafe('ROLLBACK');
    await removal;
    expect(await Promise.all(late)).toEqual([
      expect.stringContaining('Account "gone" does not exist.'),
      expect.stringContaining(`Key ${id} does not exist.`),
    ]);
    await usage;
    // A compaction that was in progress may leave a row, which nobody reads.
    const periods = await readHistory(store);
    expect(new Set(periods.map(({ accountId }) => accountId))).toEqual(new Set([2]));
  });

  test('compares a history with what was seen before its query, because responses overtake each other', async () => {
    const warnings: string[] = [];
    const options = {
      url: await newPostgresDatabase(),
      connections: 4,
      timeoutMs: WAIT_TIMEOUT_MS,
    };
    await using pool = new Pool({ ...options, onWarning: (line) => warnings.push(line) });
    let isWriting = true;
    const write = async () => {
      while (isWriting) await pool.query("SELECT pg_logical_emit_message(true, 'test', '')");
    };
    const look = async () => {
      for (let count = 0; count < LOOKS; count++) expect(await pool.isReady()).toBe(true);
    };
    const writing = write();
    await Promise.all(Array.from({ length: 4 }, look));
    isWriting = false;
    await writing;
    expect(warnings).toEqual([]);
  });

  test.each(['pg_current_wal_flush_lsn()', 'pg_walfile_name(pg_lsn)'])(
    'is served without a fence, with one line in the log, if the user may not call %s',
    async (name) => {
      const url = await newStore();
      await using sql = connectTo(url);
      await sql.unsafe(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`);
      const warnings: string[] = [];
      const options = [await asClerk(url), 2, Date.now, WAIT_TIMEOUT_MS] as const;
      const opening = backend(...options).openStore(undefined, (line) => warnings.push(line));
      await using store = await opening;
      for (let count = 0; count < 3; count++) {
        await store.pets.createPet(REX);
        expect(await store.isReady()).toBe(true);
      }
      expect(warnings).toEqual([
        `Old primaries cannot be recognized, because PostgreSQL says: permission denied for function ${name.replace(/\(.*/, '')}`,
      ]);
    },
  );

  test('is named if it does not exist', async () => {
    const url = new URL(await newPostgresDatabase());
    const place = `postgres://${url.username}@${url.host}/nowhere`;
    url.password = 'hunter2';
    url.pathname = 'nowhere';
    await expectRefused(url.href, `${place}: database "nowhere" does not exist`);
  });

  test('is refused in an encoding that cannot store every name', async () => {
    const latin = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0";
    expect(await messageOf(openStore(await newPostgresDatabase(latin)))).toBe(
      'The PostgreSQL server has server_encoding=LATIN1, which is not safe. Set it to UTF8.',
    );
  });

  test('is served with only the rights to read and write rows', async () => {
    await using store = await openStore(await asClerk(await newStore()), 2);
    const { pet } = await store.pets.createPet(REX);
    expect(await store.pets.getPet(pet.id)).toEqual(pet);
    await addAccount(store, 'one');
    await store.history.add([anHour({ served: 1 })]);
    // By then, the hour is too old to be kept.
    await store.history.compact('hours', Date.UTC(2027, 10, 15));
    const operator = store.forOperator(TEST_ORIGIN);
    await operator.pets.setStatus(pet.id, 'sold');
    expect(await operator.audit.listChanges({})).toHaveLength(2);
    await eventually(() => (store.sizeBytes() ?? 0) > 1_000_000);
  });

  test('reports connections in use, and queries that wait for one', async () => {
    const url = await newPostgresDatabase();
    await using pool = new Pool({ url, connections: 2, timeoutMs: WAIT_TIMEOUT_MS });
    await using gate = connectTo(url);
    await gate`SELECT pg_advisory_lock(1)`;
    const asked = Array.from({ length: 3 }, () =>
      pool.shared.ask((sql) => sql`SELECT pg_advisory_xact_lock(1)`),
    );
    const idle = { pool: 'creations', inUse: 0, waiting: 0 };
    expect(pool.loads()).toEqual([{ pool: 'shared', inUse: 2, waiting: 1 }, idle]);
    await gate`SELECT pg_advisory_unlock(1)`;
    await Promise.all(asked);
    expect(pool.loads()).toEqual([{ pool: 'shared', inUse: 0, waiting: 0 }, idle]);
  });

  test('limits the time of a request, but not that of a report, which no request waits for', async () => {
    const url = await newStore();
    await using store = await backend(url, 1, Date.now, 10_000).openStore();
    await using gate = connectTo(url);
    const { report } = await gate.begin(async (sql) => {
      await sql`LOCK TABLE usage_periods`;
      const report = readHistory(store, {});
      const error = await rejection(readHistory(store, { accountId: 1 }));
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(Bun.peek.status(report)).toBe('pending');
      return { report };
    });
    expect(await report).toEqual([]);
  });
});

test.each([
  ['pets', 'postgres://u@127.0.0.1:1/pets: no server accepts connections there'],
  [
    'db?sslmode=nonsense',
    /u@127.*sslmode=nonsense: .*'sslmode' must be one of: disable, .*\. Check .* DATABASE_URL\.$/,
  ],
])('a server that cannot be used is named in one line, without the password: %s', (end, message) =>
  expectRefused(`postgres://u:hunter2@127.0.0.1:1/${end}`, message),
);
