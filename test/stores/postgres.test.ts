import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { SQL } from 'bun';
import type { Store } from '../../src/domain/backend.ts';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { Pool } from '../../src/postgres/pool.ts';
import { eventually } from '../support/command.ts';
import { FlakyProxy } from '../support/flaky-proxy.ts';
import { amount } from '../support/long.ts';
import { openStore } from '../support/open-store.ts';
import { postgresForSuites, TestPostgres } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { accountStoreSuite } from './account-store-suite.ts';
import { operatorPetsSuite } from './operator-pets-suite.ts';
import { petStoreSuite } from './pet-store-suite.ts';

const CONNECTIONS = 4;
/** Those that an instance gave up on, and the ones that check for them. */
const MOST_FURTHER_BACKENDS = 4;

const NEW_PET = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function countBackends(sql: SQL): Promise<number> {
  const [{ count }] = await sql`SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'animal-store'`;
  return count;
}

async function openNew() {
  return openStore(await postgres.newDatabase(), 10);
}

petStoreSuite('pets in PostgreSQL', openNew);
accountStoreSuite('accounts in PostgreSQL', openNew);
operatorPetsSuite('pets of operators in PostgreSQL', () => postgres.newDatabase());

/** Four instances with 16 writers each. */
const INSTANCES = 4;
const WRITERS = 16;
const CREATIONS = amount(20_000, 200_000);

test('a reader that continues after the last id misses no pet', async () => {
  const url = await postgres.newDatabase();
  await using opened = new AsyncDisposableStack();
  const first = opened.use(await openStore(url, 4));
  const stores = [first];
  while (stores.length < INSTANCES) stores.push(opened.use(await openStore(url, 4)));
  const { id: accountId } = await first.accounts.createAccount({
    ...{ name: 'writer', plan: 'free', limits: PLANS.free.limits, nowMs: 1 },
  });

  let started = 0;
  let isWriting = true;
  const write = async ({ pets }: Store) => {
    while (started < CREATIONS) {
      const key = `${started++}`;
      const once = { accountId, key, fingerprint: '', nowMs: 1_000 };
      await pets.createPet(NEW_PET, started % 2 === 0 ? once : undefined);
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
  await Promise.all(stores.flatMap((store) => Array.from({ length: WRITERS }, () => write(store))));
  isWriting = false;
  expect(await Promise.all(readers)).toEqual(stores.map(() => CREATIONS));
});

describe('the schema', () => {
  test('is created once by ten instances that start together', async () => {
    const url = await postgres.newDatabase();
    const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(url, 2)));
    const sql = new SQL(url, { max: 1 });
    const rows = await sql`SELECT version FROM animal_store_migrations`;
    await sql.close();
    const versions = readdirSync('migrations/postgres').map((_, index) => index + 1);
    expect(rows.map(({ version }: { version: number }) => version)).toEqual(versions);
    for (const store of stores) await store[Symbol.asyncDispose]();
  });

  test('of the first version is upgraded with its idempotency keys', async () => {
    const url = await postgres.newDatabase();
    const sql = new SQL(url, { max: 1 });
    await sql.unsafe(readFileSync('migrations/postgres/0001_create_store.sql', 'utf8'));
    await sql`CREATE TABLE animal_store_migrations (version integer PRIMARY KEY)`;
    await sql`INSERT INTO animal_store_migrations (version) VALUES (1)`;
    await sql`INSERT INTO accounts (name, plan, created_at) VALUES ('a', 'free', now())`;
    await sql`INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'sold')`;
    await sql`INSERT INTO idempotency_keys VALUES (1, 'k', 'f', 1, now())`;
    await sql`ALTER TABLE animal_store_migrations ADD applied_at timestamptz DEFAULT now()`;
    await sql.close();
    await using store = await openStore(url, 1);
    const once = { accountId: 1, key: 'k', fingerprint: 'f', nowMs: Date.now() };
    const pet = { name: 'Rex', categoryId: 1n, status: 'sold' } as const;
    expect(await store.pets.createPet(pet, once)).toEqual({
      pet: { ...pet, id: 1n },
      replayed: true,
    });
  });

  test('is refused if a newer version wrote it', async () => {
    const url = await postgres.newDatabase();
    await (await openStore(url, 1))[Symbol.asyncDispose]();
    const sql = new SQL(url, { max: 1 });
    await sql`INSERT INTO animal_store_migrations (version) VALUES (999)`;
    await sql.close();
    expect(await rejection(openStore(url, 1))).toHaveProperty(
      'message',
      'A newer version of Animal Store wrote this database. Use that version.',
    );
  });

  test('reads a page of one status from the index, in order', async () => {
    const url = await postgres.newDatabase();
    await (await openStore(url, 1))[Symbol.asyncDispose]();
    const sql = new SQL(url, { max: 1 });
    await sql`INSERT INTO pets (name, category_id, status)
      SELECT 'x', 1, CASE WHEN n % 100 = 0 THEN 'sold' ELSE 'available' END
      FROM generate_series(1, 20000) AS n`;
    await sql`ANALYZE pets`;
    const plan = await sql`EXPLAIN SELECT * FROM pets
      WHERE status = 'sold' AND id > 100 ORDER BY id LIMIT 20`;
    await sql.close();
    expect(JSON.stringify(plan)).toContain('pets_by_status');
    expect(JSON.stringify(plan)).not.toContain('Sort');
  });
});

describe('a server that could lose committed data', () => {
  test.each(['fsync', 'synchronous_commit'])('with %s=off is refused', async (setting) => {
    await using unsafe = await TestPostgres.start({ [setting]: 'off' });
    expect(await rejection(openStore(unsafe.url, 1))).toHaveProperty(
      'message',
      `The PostgreSQL server has ${setting}=off, which is not safe. Set it to on.`,
    );
  });
});

test('a database whose encoding cannot store every name is refused', async () => {
  const url = await postgres.newDatabase(
    "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
  );
  expect(await rejection(openStore(url, 1))).toHaveProperty(
    'message',
    'The PostgreSQL server has server_encoding=LATIN1, which is not safe. Set it to UTF8.',
  );
});

test('serving an existing schema needs only the rights to read and write rows', async () => {
  const url = await postgres.newDatabase();
  await (await openStore(url, 1))[Symbol.asyncDispose]();
  const sql = new SQL(url, { max: 1 });
  const user = `clerk_${crypto.randomUUID().slice(0, 8)}`;
  await sql.unsafe(`CREATE ROLE ${user} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${user}`);
  await sql.close();
  const limited = new URL(url);
  limited.username = user;
  await using store = await openStore(limited.href, 2);
  const { pet } = await store.pets.createPet({ name: 'Rex', categoryId: 1n, status: 'sold' });
  expect(await store.pets.getPet(pet.id)).toEqual(pet);
});

test('the number of connections and the time of a statement are limited', async () => {
  const url = await postgres.newDatabase();
  await using store = await openStore(url, 3);
  await Promise.all(Array.from({ length: 300 }, (_, index) => store.pets.getPet(BigInt(index))));
  await using pool = new Pool(url, 1);
  expect(await countBackends(pool.sql)).toBe(3 + 1);
  const slow = pool.ask((sql) => sql`SELECT pg_sleep(10)`);
  expect(await rejection(slow)).toBeInstanceOf(StoreUnavailableError);
});

describe('connections that stop responding', () => {
  test('are closed, and the next query reconnects', async () => {
    const target = new URL(await postgres.newDatabase());
    await using proxy = await FlakyProxy.start(target);
    await using store = await openStore(proxy.url, 2);
    await Promise.all([store.pets.getPet(1n), store.pets.getPet(2n)]);
    proxy.silenceOpenConnections();
    const read = Promise.try(() => store.pets.getPet(1n));
    expect(await rejection(read)).toBeInstanceOf(StoreUnavailableError);
    expect(await store.pets.getPet(1n)).toBeUndefined();
  });
});

describe('a frozen synchronous standby', () => {
  test('fails creations only, shows none of them, and takes few backends', async () => {
    await using primary = await TestPostgres.start();
    const url = await primary.newDatabase();
    await using store = await openStore(url, CONNECTIONS);
    await using other = await openStore(url, CONNECTIONS);
    await using standby = await TestPostgres.standbyOf(primary);
    await using sql = new SQL(url, { max: 1 });
    await sql`ALTER SYSTEM SET synchronous_standby_names = '*'`;
    await sql`SELECT pg_reload_conf()`;
    await eventually(
      async () => (await sql`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`).length > 0,
    );
    const { pet } = await store.pets.createPet(NEW_PET);
    const key = { accountId: 1, key: 'k', fingerprint: 'f', nowMs: Date.now() };
    await other.accounts.createAccount({
      ...{ name: 'a', plan: 'free', limits: PLANS.free.limits, nowMs: 1 },
    });
    standby.signalAll('SIGSTOP');

    let isFrozen = true;
    const refused: unknown[] = [];
    const create = async ({ pets }: Store) => {
      while (isFrozen) {
        await Promise.try(() => pets.createPet(NEW_PET, key)).catch((error) => refused.push(error));
      }
    };
    const read = async ({ pets }: Store) => {
      while (isFrozen) {
        expect(await pets.listPets({ limit: 10 })).toEqual([pet]);
        await Bun.sleep(20);
      }
    };
    const load = [store, other].flatMap((each) => [create(each), create(each), read(each)]);
    let most = 0;
    while (refused.length < 12) {
      most = Math.max(most, await countBackends(sql));
      await Bun.sleep(50);
    }
    expect(refused.every((error) => error instanceof StoreUnavailableError)).toBe(true);
    expect(most).toBeLessThanOrEqual(2 * (CONNECTIONS + MOST_FURTHER_BACKENDS));
    isFrozen = false;
    standby.signalAll('SIGCONT');
    await Promise.all(load);
    await eventually(() =>
      Promise.try(() => store.pets.createPet(NEW_PET, key)).then(
        () => true,
        () => false,
      ),
    );
    expect(await store.pets.listPets({ limit: 10 })).toHaveLength(2);
  });
});

test('backends that hang are bounded, and are used again once they respond', async () => {
  await using own = await TestPostgres.start();
  const url = await own.newDatabase();
  await using store = await openStore(url, CONNECTIONS);
  await using sql = new SQL(url, { max: 1 });
  const stopped = new Set<number>();
  const stopAll = async () => {
    for (const { pid } of await sql`SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'animal-store'`) {
      if (!stopped.has(pid)) process.kill(pid, 'SIGSTOP');
      stopped.add(pid);
    }
  };
  await store.pets.getPet(1n);
  for (const endMs = performance.now() + 12_000; performance.now() < endMs; ) {
    for (let id = 0n; id < 8n; id++) Promise.try(() => store.pets.getPet(id)).catch(() => {});
    await stopAll();
    await Bun.sleep(20);
  }
  const most = await countBackends(sql);
  console.log(`${most} backends with ${CONNECTIONS} connections`);
  expect(most).toBeLessThanOrEqual(CONNECTIONS + MOST_FURTHER_BACKENDS);
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  await eventually(() => store.isReady().catch(() => false));
});

test('a creation that waits for another instance is cancelled with its request', async () => {
  const url = await postgres.newDatabase();
  await using store = await openStore(url, 2);
  await using sql = new SQL(url, { max: 1 });
  await sql.begin(async (transaction) => {
    await transaction`SELECT lock_creations()`;
    const refused = await rejection(Promise.try(() => store.pets.createPet(NEW_PET)));
    expect(refused).toBeInstanceOf(StoreUnavailableError);
    await eventually(
      async () =>
        (
          await transaction`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
          AND datname = current_database()`
        ).length === 0,
    );
  });
  expect(await store.pets.listPets({ limit: 1 })).toEqual([]);
  await store.pets.createPet(NEW_PET);
});

test('a primary that turns read-only is left for the new primary', async () => {
  await using old = await TestPostgres.start();
  const target = new URL(await old.newDatabase());
  await using proxy = await FlakyProxy.start(target);
  await using store = await openStore(proxy.url, CONNECTIONS);
  const { pet } = await store.pets.createPet(NEW_PET);
  await using standby = await TestPostgres.standbyOf(old);
  await using sql = new SQL(target.href, { max: 1 });
  await sql`ALTER SYSTEM SET default_transaction_read_only = on`;
  await sql`SELECT pg_reload_conf()`;
  await eventually(async () => !(await store.isReady()));
  expect(await rejection(Promise.try(() => store.pets.createPet(NEW_PET)))).toBeInstanceOf(
    StoreUnavailableError,
  );
  await standby.promote();
  const promoted = new URL(standby.url);
  promoted.pathname = target.pathname;
  proxy.switchTo(promoted);
  // The connections to the old primary stay open. Only requests make the service notice.
  await eventually(() =>
    Promise.try(() => store.pets.createPet(NEW_PET)).then(
      () => true,
      () => false,
    ),
  );
  expect(await store.isReady()).toBe(true);
  expect(await store.pets.getPet(pet.id)).toEqual(pet);
});

test('a server that accepts no writes, such as a standby, is not ready', async () => {
  const url = await postgres.newDatabase();
  {
    await using store = await openStore(url);
    expect(await store.isReady()).toBe(true);
  }
  const sql = new SQL(url, { max: 1 });
  const name = new URL(url).pathname.slice(1);
  await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await sql.close();
  await using store = await openStore(url);
  expect(await store.isReady()).toBe(false);
});

test('an unknown sslmode is refused with one line', async () => {
  const url = 'postgres://u:hunter2@127.0.0.1:1/db?sslmode=nonsense';
  const error = await rejection(openStore(url, 1));
  expect(error).toHaveProperty('name', 'OperatorError');
  expect(error).toHaveProperty(
    'message',
    'sslmode in DATABASE_URL must be one of disable, allow, prefer, require, verify-ca, verify-full, ' +
      'not "nonsense".',
  );
});

test('the error for an unreachable server does not show the password', async () => {
  const error = await rejection(openStore('postgres://u:hunter2@127.0.0.1:1/db', 1));
  expect(error).toHaveProperty('name', 'OperatorError');
  expect(String(error)).toContain('Cannot use the PostgreSQL database "db" at 127.0.0.1:1');
  expect(String(error)).not.toContain('hunter2');
});
