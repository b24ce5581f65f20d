import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import type { Store } from '../../src/domain/backend.ts';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import type { NewPet } from '../../src/domain/pet.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { createPool } from '../../src/stores/postgres/pool.ts';
import { postgresSql } from '../../src/stores/postgres/sql.ts';
import { auditLog } from '../../src/stores/sql/audit.ts';
import { sqlOperatorPets } from '../../src/stores/sql/operator-pets.ts';
import { eventually } from '../support/command.ts';
import { anHour } from '../support/hour-of-use.ts';
import { amount } from '../support/long.ts';
import { openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites, TestPostgres } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { accountStoreSuite } from './account-store-suite.ts';
import { historySuite } from './history-suite.ts';
import { operatorPetsSuite } from './operator-pets-suite.ts';
import { petStoreSuite } from './pet-store-suite.ts';

const NEW_PET = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function openNew() {
  return openStore(await postgres.newDatabase(), 10);
}

petStoreSuite('pets in PostgreSQL', openNew);
accountStoreSuite('accounts in PostgreSQL', openNew);
operatorPetsSuite('pets of operators in PostgreSQL', () => postgres.newDatabase());
historySuite('the usage history in PostgreSQL', () => postgres.newDatabase());

/** Four instances with 16 writers each. */
const INSTANCES = 4;
const WRITERS = 16;
const CREATIONS = amount(20_000, 200_000);

test('idempotency keys expire by the clock of the server, and are then deleted', async () => {
  const url = await postgres.newDatabase();
  await using store = await openStore(url, 1);
  const { id: accountId } = await store.accounts.createAccount({
    ...{ name: 'writer', plan: 'free', limits: PLANS.free.limits, nowMs: 1 },
  });
  const create = async (key: string) =>
    store.pets.createPet(NEW_PET, { accountId, key, fingerprint: '', offsetMs: 0 });
  await using sql = new SQL(url, { max: 1 });
  for (const age of ['23 hours', '25 hours', '26 hours']) await create(age);
  await sql`UPDATE idempotency_keys SET created_at = extract(epoch FROM now() - key::interval) * 1000`;
  expect((await create('25 hours')).replayed).toBe(false);
  expect((await create('23 hours')).replayed).toBe(true);
  const keys = await sql`SELECT key FROM idempotency_keys ORDER BY key`;
  expect(keys.map(({ key }: { key: string }) => key)).toEqual(['23 hours', '25 hours']);
});

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
      const once = { accountId, key, fingerprint: '', offsetMs: 0 };
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
    expect(rows).toHaveLength(1);
    for (const store of stores) await store[Symbol.asyncDispose]();
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

test('an import that would hold up a running service for too long adds nothing', async () => {
  const url = await postgres.newDatabase();
  const many = async function* (): AsyncIterable<NewPet[]> {
    yield Array(12_000).fill(NEW_PET);
  };
  const store = await openStore(url, 1);
  const pool = createPool(url, { connections: 1, timeoutMs: 5_000 });
  await using database = postgresSql(pool);
  const pets = sqlOperatorPets(database, auditLog(database, TEST_ORIGIN, Date.now), 0);
  expect(String(await rejection(pets.importPets(many())))).toContain(
    'Stop the service, or split the file. Nothing was changed.',
  );
  expect(await store.pets.listPets({ limit: 1 })).toEqual([]);
  await store[Symbol.asyncDispose]();
  // Its backends may need a moment to end.
  await eventually(async () => {
    const imported = await pets.importPets(many()).catch(() => undefined);
    return imported?.count === 12_000;
  });
});

describe('a server that could lose committed data', () => {
  test('with fsync=off is refused', async () => {
    await using unsafe = await TestPostgres.start({ fsync: 'off' });
    expect(await rejection(openStore(unsafe.url, 1))).toHaveProperty(
      'message',
      'The PostgreSQL server has fsync=off, which is not safe. Set it to on.',
    );
  });

  test('is not ready while fsync is off', async () => {
    await using server = await TestPostgres.start();
    await using store = await openStore(server.url, 1);
    await using sql = new SQL(server.url, { max: 1 });
    for (const setting of ['off', 'on']) {
      await sql.unsafe(`ALTER SYSTEM SET fsync = ${setting}`);
      await sql`SELECT pg_reload_conf()`;
      await eventually(async () => (await store.isReady()) === (setting === 'on'));
    }
  });

  test.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('with synchronous_commit=%s commits durably with %s', async (setting, used) => {
    const url = await postgres.newDatabase();
    await (await openStore(url, 1))[Symbol.asyncDispose]();
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe(`SET synchronous_commit = ${setting}`);
    const show = 'SHOW synchronous_commit';
    const [during] = await sql.begin(async (transaction) => {
      await transaction`SELECT commit_durably()`;
      return await transaction.unsafe(show);
    });
    expect(during).toEqual({ synchronous_commit: used });
    expect(await sql.unsafe(show)).toEqual([{ synchronous_commit: setting }]);
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
  await store.history.add([anHour({ served: 1 })]);
  // The hour is by then too old to keep.
  await store.history.compact(Date.UTC(2027, 10, 15));
  await using operator = store.forOperator(TEST_ORIGIN);
  await operator.openPets().setStatus(pet.id, 'available');
  expect(await operator.audit.listChanges({})).toHaveLength(1);
});

test('the number of connections and the time of a statement are limited', async () => {
  const url = await postgres.newDatabase();
  await using store = await openStore(url, 3);
  await Promise.all(Array.from({ length: 300 }, (_, index) => store.pets.getPet(BigInt(index))));
  await using pool = createPool(url, { connections: 1, timeoutMs: 5_000 });
  const [{ others }] = await pool.sql`SELECT count(*)::integer - 1 AS others FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'animal-store %'`;
  expect(others).toBe(3);
  const slow = pool.ask((sql) => sql`SELECT pg_sleep(10)`);
  expect(await rejection(slow)).toBeInstanceOf(StoreUnavailableError);
});

test('a pool reports connections in use, and queries that wait for one', async () => {
  const url = await postgres.newDatabase();
  await using pool = createPool(url, { connections: 2, timeoutMs: 60_000 });
  const gate = new SQL(url, { max: 1 });
  await gate`SELECT pg_advisory_lock(1)`;
  const asked = Array.from({ length: 3 }, () =>
    pool.ask((sql) => sql`SELECT pg_advisory_xact_lock(1)`),
  );
  const idle = { pool: 'creations', inUse: 0, waiting: 0 };
  expect(pool.loads()).toEqual([{ pool: 'shared', inUse: 2, waiting: 1 }, idle]);
  await gate.close();
  await Promise.all(asked);
  expect(pool.loads()).toEqual([{ pool: 'shared', inUse: 0, waiting: 0 }, idle]);
});

test('a report may take longer than a request, which does not wait for it', async () => {
  const url = await postgres.newDatabase();
  await using pool = createPool(url, { connections: 1, timeoutMs: 1_000 });
  const slow = 'SELECT 1 AS one FROM pg_sleep(0.6)';
  const report = pool.report(slow);
  expect(await pool.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  expect(Bun.peek.status(report)).toBe('pending');
  expect(await report).toEqual([{ one: 1 }]);
  expect(await rejection(pool.query(slow))).toBeInstanceOf(StoreUnavailableError);
});

test('the size of the database becomes known', async () => {
  await using store = await openNew();
  await eventually(() => (store.sizeBytes() ?? 0) > 1_000_000);
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
