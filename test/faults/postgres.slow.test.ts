import { expect, test } from 'bun:test';
import { dirname } from 'node:path';
import type { SQL } from 'bun';
import type { Store } from '#domain/backend.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import type { IdempotencyKey } from '#domain/idempotency-key.ts';
import { Connections } from '#stores/postgres/connections.ts';
import { Pool } from '#stores/postgres/pool.ts';
import { areWaiting, messageOf, once, REX } from '../stores/databases.ts';
import {
  connectTo,
  newPostgresDatabase,
  ownedByServer,
  TestPostgres,
} from '../support/postgres.ts';
import { newCertificate } from '../support/programs.ts';
import { backend, createAccount, openStore } from '../support/store.ts';
import { eventually, rejection, succeeds, WAIT_TIMEOUT_MS } from '../support/time.ts';
import { FlakyProxy } from './flaky-proxy.ts';
import { startPgBouncer } from './pgbouncer.ts';

const CONNECTIONS = 4;
/** One connection creates pets, and one checks whether silent connections still work. */
const FURTHER_BACKENDS = 2;

/** Gives up a query after four seconds. Within that time, even a busy machine responds. */
function openImpatient(url: string, connections: number): Promise<Store> {
  return backend(url, connections, Date.now, 10_000).openStore();
}

async function canCreate({ pets }: Store, key?: IdempotencyKey) {
  return succeeds(Promise.try(() => pets.createPet(REX, key)));
}

/** The same database on another server. */
function databaseOn({ url }: TestPostgres, { pathname }: URL): URL {
  return new URL(pathname, url);
}

async function countBackends(sql: SQL): Promise<number> {
  const backends = await sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'animal-store %'`;
  return backends.length;
}

test('a frozen synchronous standby fails creations only, shows none of them, and takes few backends', async () => {
  await using primary = await TestPostgres.start();
  const url = await primary.newDatabase();
  await using store = await openImpatient(url, CONNECTIONS);
  await using other = await openImpatient(url, CONNECTIONS);
  await using standby = await TestPostgres.synchronousStandbyOf(primary);
  await using sql = connectTo(url);
  const { pet } = await store.pets.createPet(REX);
  const key = once(1, 'k');
  await createAccount(other, { name: 'a' });
  standby.signalAll('SIGSTOP');

  let isFrozen = true;
  const refused = new Map<Store, unknown[]>([
    [store, []],
    [other, []],
  ]);
  const create = async (instance: Store) => {
    while (isFrozen) {
      const creation = Promise.try(() => instance.pets.createPet(REX, key));
      await creation.catch((error) => refused.get(instance)?.push(error));
      await Bun.sleep(20);
    }
  };
  const read = async ({ pets }: Store) => {
    while (isFrozen) {
      expect(await pets.listPets({ limit: 10 })).toEqual([pet]);
      await Bun.sleep(20);
    }
  };
  const creations = [store, other].flatMap((each) => [create(each), create(each)]);
  const reads = [store, other].map(read);
  let most = 0;
  // Each refusal of the other instance comes after it waited for the commit of the first.
  while ((refused.get(other)?.length ?? 0) < 4) {
    most = Math.max(most, await countBackends(sql));
    await Bun.sleep(50);
  }
  for (const error of [...refused.values()].flat()) {
    expect(error).toBeInstanceOf(StoreUnavailableError);
  }
  // If reads failed as well, callers would lose more.
  expect(await store.isReady()).toBe(true);
  expect(most).toBeLessThanOrEqual(2 * (CONNECTIONS + FURTHER_BACKENDS));
  isFrozen = false;
  // A read that is still in progress could show the pet that now becomes visible.
  await Promise.all(reads);
  standby.signalAll('SIGCONT');
  await Promise.all(creations);
  await eventually(() => canCreate(store, key));
  expect(await store.pets.listPets({ limit: 10 })).toHaveLength(2);
});

test('a creation that waits for another instance is canceled with its request', async () => {
  const url = await newPostgresDatabase();
  await using store = await openImpatient(url, 2);
  await using sql = connectTo(url);
  await sql.begin(async (transaction) => {
    await transaction`SELECT lock_creations()`;
    const refused = await rejection(Promise.try(() => store.pets.createPet(REX)));
    expect(refused).toBeInstanceOf(StoreUnavailableError);
    await eventually(areWaiting(transaction, 0));
  });
  expect(await store.pets.listPets({ limit: 1 })).toEqual([]);
  await store.pets.createPet(REX);
});

test('instances leave a primary that becomes read-only, and use the new one', async () => {
  await using old = await TestPostgres.start();
  const target = new URL(await old.newDatabase());
  await using proxy = await FlakyProxy.start(target);
  await using store = await openStore(proxy.url, CONNECTIONS);
  const { pet } = await store.pets.createPet(REX);
  await using standby = await TestPostgres.start({}, old);
  await using unaware = new Connections(
    { url: proxy.url, max: 1, timeoutMs: 60_000, maxAgeSeconds: 1 },
    () => {},
  );
  const serverPort = (sql: SQL) => sql`SELECT inet_server_port()::text AS port`;
  await unaware.ask(serverPort);
  await using sql = connectTo(target.href);
  await sql`ALTER SYSTEM SET default_transaction_read_only = on`;
  await sql`SELECT pg_reload_conf()`;
  await eventually(async () => !(await store.isReady()));
  expect(await rejection(Promise.try(() => store.pets.createPet(REX)))).toBeInstanceOf(
    StoreUnavailableError,
  );
  await standby.promote();
  const promoted = databaseOn(standby, target);
  proxy.switchTo(promoted);
  // The connections to the old primary stay open. Only requests make the service notice.
  await eventually(() => canCreate(store));
  expect(await store.isReady()).toBe(true);
  expect(await store.pets.getPet(pet.id)).toEqual(pet);
  // Without such a request, connections move when they are old enough.
  await eventually(async () => (await unaware.ask(serverPort))[0].port === promoted.port);
});

test('reads follow writes to another primary while an earlier read still hangs', async () => {
  await using first = await TestPostgres.start();
  const target = new URL(await first.newDatabase());
  await using proxy = await FlakyProxy.start(target);
  await (await openStore(target.href, 1))[Symbol.asyncDispose]();
  await using second = await TestPostgres.start({}, first);
  await second.promote();
  await using third = await TestPostgres.start({}, second);
  await third.promote();
  const timeoutMs = 10 * WAIT_TIMEOUT_MS;
  await using pool = new Pool({ url: proxy.url, connections: 2, timeoutMs });
  pool.query('SELECT pg_sleep(600)').catch(() => {});
  await pool.query('SELECT');
  for (const promoted of [second, third]) {
    const server = databaseOn(promoted, target);
    proxy.switchTo(server);
    await eventually(async () => {
      await rejection(pool.write('SELECT pg_terminate_backend(pg_backend_pid())'));
      const [row] = await pool.query<{ port: string }>('SELECT inet_server_port()::text AS port');
      return row?.port === server.port;
    });
  }
});

test('behind PgBouncer in session mode, an instance needs three more connections than DATABASE_CONNECTIONS', async () => {
  await using pooler = await startPgBouncer(await newPostgresDatabase(), 2 + 3, 'session');
  await using store = await openStore(pooler.url, 2);
  const { pet } = await store.pets.createPet(REX);
  expect(await store.pets.getPet(pet.id)).toEqual(pet);
  await createAccount(store, { name: 'a' });
});

test('connections are encrypted if the server can, unless the URL forbids it', async () => {
  const { certificateFile, keyFile } = newCertificate();
  ownedByServer(dirname(keyFile), certificateFile, keyFile);
  await using server = await TestPostgres.start({
    ssl: 'on',
    ssl_cert_file: certificateFile,
    ssl_key_file: keyFile,
  });
  await using sql = connectTo(server.url);
  const encryption = async () => {
    const rows = await sql`SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name LIKE 'animal-store %'`;
    return rows.map(({ ssl }: { ssl: boolean }) => ssl);
  };
  const isEncrypted = async (parameters: string) => {
    // The server ends the connections of an earlier store a moment after they were closed.
    await eventually(async () => (await encryption()).length === 0);
    await using _store = await openStore(`${server.url}${parameters}`, 1);
    return await encryption();
  };
  expect(await isEncrypted('')).toEqual([true]);
  expect(await isEncrypted('?sslmode=disable')).toEqual([false]);
  const error = await rejection(openStore(`${server.url}?sslmode=verify-ca`, 1));
  expect(error).toHaveProperty('message', expect.stringContaining('Set NODE_EXTRA_CA_CERTS'));
});

test('a store is not ready if fsync is turned off, and refused at the next start', async () => {
  await using server = await TestPostgres.start();
  await using store = await openStore(server.url);
  expect(await store.isReady()).toBe(true);
  await using sql = connectTo(server.url);
  await sql`ALTER SYSTEM SET fsync = off`;
  await sql`SELECT pg_reload_conf()`;
  await eventually(async () => !(await store.isReady()));
  const message = 'The PostgreSQL server has fsync=off, which is not safe. Set it to on.';
  expect(await messageOf(openStore(server.url))).toBe(message);
});
