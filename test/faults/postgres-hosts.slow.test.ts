import { expect, test } from 'bun:test';
import type { Store } from '#domain/backend.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import { Pool } from '#stores/postgres/pool.ts';
import { REX } from '../stores/databases.ts';
import { connectTo, TestPostgres } from '../support/postgres.ts';
import { backend, createAccount, createStore, openStore } from '../support/store.ts';
import { eventually, rejection, succeeds } from '../support/time.ts';

/** A query is given up after four seconds, in which a busy machine can still respond. */
const TIMEOUT_MS = 10_000;
/** Refusals in a row, after which the service has looked at the servers several times. */
const REFUSALS = 30;

/** A store as a service opens it, with the lines that it logs. */
async function openLogged(url: string) {
  const lines: string[] = [];
  const opened = backend(url, 2, Date.now, TIMEOUT_MS);
  const store = await opened.openStore(undefined, (line) => lines.push(line));
  return { store, lines };
}

function canCreate({ pets }: Store): Promise<boolean> {
  return succeeds(Promise.try(() => pets.createPet(REX)));
}

function canRead({ pets }: Store): Promise<boolean> {
  return succeeds(Promise.try(() => pets.listPets({ limit: 1 })));
}

function isReady(store: Store): Promise<boolean> {
  return store.isReady().catch(() => false);
}

async function countPets(url: string): Promise<number> {
  await using sql = connectTo(url);
  return (await sql`SELECT FROM pets`).length;
}

/** Waits until the store refuses everything, and checks that it continues to do so. */
async function expectRefused(store: Store) {
  await eventually(async () => !(await canCreate(store)));
  await eventually(async () => !(await canRead(store)));
  for (let count = 0; count < REFUSALS; count++) {
    expect(await canCreate(store)).toBe(false);
    expect(await canRead(store)).toBe(false);
    expect(await isReady(store)).toBe(false);
    await Bun.sleep(100);
  }
}

test.each(['the primary first', 'the standby first'])(
  'with two hosts, %s, an instance follows a promotion and never goes back to an old primary that thaws',
  async (order) => {
    await using old = await TestPostgres.start();
    const database = await old.newDatabase();
    await using promoted = await TestPostgres.start({}, old);
    const servers = [old, promoted];
    const url = TestPostgres.urlOf(
      database,
      ...(order === 'the primary first' ? servers : servers.toReversed()),
    );
    const writer = await openLogged(url);
    await using store = writer.store;
    const reader = await openLogged(url);
    await using reading = reader.store;
    {
      await using operator = await backend(url).openForCommand();
      await createAccount(operator, { name: 'a' });
    }
    const onOld = TestPostgres.urlOf(database, old);
    const onPromoted = TestPostgres.urlOf(database, promoted);
    expect(await canCreate(store)).toBe(true);
    await eventually(async () => (await countPets(onPromoted)) === 1);

    old.signalAll('SIGSTOP');
    await promoted.promote();
    await eventually(() => canCreate(store));
    // Nothing but the watch shows this instance that it must move.
    await eventually(() => isReady(reading));
    const { pet } = await store.pets.createPet(REX);
    await eventually(async () => (await reading.pets.getPet(pet.id)) !== undefined);
    old.signalAll('SIGCONT');
    await eventually(() => succeeds(countPets(onOld)));
    expect(await canCreate(store)).toBe(true);
    const created = await countPets(onPromoted);

    await promoted.stop();
    await Promise.all([expectRefused(store), expectRefused(reading)]);
    for (const { lines } of [writer, reader]) {
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(`PostgreSQL at ${new URL(old.url).host} is not used`);
      expect(lines[0]).toMatch(/timeline is 00000001 at 0{8}\w{8}, after 00000002 at 0{8}\w{8}/);
      expect(lines[0]).toEndWith('restart this instance.');
    }
    await promoted.start();
    for (const each of [store, reading]) {
      await eventually(() => isReady(each));
      expect(await canRead(each)).toBe(true);
    }
    await eventually(() => canCreate(store));
    expect(await countPets(onPromoted)).toBe(created + 1);
    // A restart accepts what it finds.
    await promoted.stop();
    await using restarted = await openStore(url);
    expect(await canCreate(restarted)).toBe(true);
  },
);

test('an old primary that still accepts writes is left for the new primary, also by an instance that only reads', async () => {
  await using old = await TestPostgres.start();
  const database = await old.newDatabase();
  await using promoted = await TestPostgres.start({}, old);
  const { store } = await openLogged(TestPostgres.urlOf(database, old, promoted));
  await using reading = store;
  await promoted.promote();
  await using writing = await openStore(TestPostgres.urlOf(database, promoted));
  const { pet } = await writing.pets.createPet(REX);
  await eventually(async () => (await reading.pets.getPet(pet.id)) !== undefined);
  await using started = await openStore(TestPostgres.urlOf(database, old, promoted));
  expect(await started.pets.getPet(pet.id)).toEqual(pet);
});

test('a server whose data was restored to an earlier time is refused, with one line in the log, until a restart', async () => {
  await using server = await TestPostgres.start();
  const url = await server.newDatabase();
  const { store, lines } = await openLogged(url);
  await using opened = store;
  const { store: reading, lines: linesOfReader } = await openLogged(url);
  await using _reading = reading;
  const linesOfPool: string[] = [];
  const onWarning = (line: string) => linesOfPool.push(line);
  await using pool = new Pool({ url, connections: 1, timeoutMs: TIMEOUT_MS, onWarning });
  const canWrite = () => succeeds(pool.write('SELECT 1 AS one'));
  await server.undo(async () => {
    await eventually(() => canCreate(opened));
    expect(await canCreate(opened)).toBe(true);
    await eventually(canWrite);
    // Nothing but the watch looks at the server for an instance without requests.
    await eventually(() => isReady(reading));
    expect([lines, linesOfReader, linesOfPool]).toEqual([[], [], []]);
  });
  await eventually(() => linesOfReader.length === 1);
  // Nothing but its writes look at the server for a pool that does not watch.
  await eventually(async () => !(await canWrite()) && linesOfPool.length === 1);
  await expectRefused(opened);
  // Writes of others do not make it a server that the instance has used.
  await using restarted = await openStore(url);
  expect(await canCreate(restarted)).toBe(true);
  await expectRefused(opened);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/timeline is 00000001 at 0{8}\w{8}, after 00000001 at 0{8}\w{8}/);
});

test('a primary that has become a standby is unavailable for writes', async () => {
  await using primary = await TestPostgres.start();
  const database = await primary.newDatabase();
  await createStore(database);
  await using standby = await TestPostgres.start({}, primary);
  const url = TestPostgres.urlOf(database, standby);
  await using pool = new Pool({ url, connections: 1, timeoutMs: TIMEOUT_MS });
  const refusal = await rejection(pool.write('SELECT 1 AS one'));
  expect(refusal).toBeInstanceOf(StoreUnavailableError);
});

test('a start without a primary names the reason of each host in one line', async () => {
  await using primary = await TestPostgres.start();
  await using standby = await TestPostgres.start({}, primary);
  await primary.stop();
  const url = TestPostgres.urlOf('postgres://h/postgres', primary, standby);
  expect(await rejection(openStore(url))).toHaveProperty(
    'message',
    `Cannot use ${url}: no server accepts connections there; the server is read-only. Check the server and DATABASE_URL.`,
  );
});
