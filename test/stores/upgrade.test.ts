import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { Store } from '../../src/domain/backend.ts';
import { hashSecret, mintSecret } from '../../src/domain/key-secret.ts';
import { RECORD_FIELDS, RECORD_KINDS } from '../../src/domain/operator/transfer.ts';
import { columnOf, TABLES } from '../../src/stores/sql/tables.ts';
import { createOldFile as createFileOfVersion } from '../support/old-file.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
const folder = temporaryFolder();
let files = 0;

beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const SECRET = mintSecret(randomBytes);
const PET = "INSERT INTO pets (name, category_id, status) VALUES ('Rex', 7, 'sold')";

function migration(path: string): string {
  return readFileSync(`migrations/${path}.sql`, 'utf8');
}

const newFile = () => `sqlite:${join(folder.path, `${++files}.db`)}`;

/** A data file as version 0.1 wrote it, with one account, key and pet. */
function createOldFile(): string {
  const url = newFile();
  using file = createFileOfVersion(url.slice('sqlite:'.length), 3, SECRET);
  file.run(PET);
  return url;
}

/** A database as version 0.1 wrote it, with the same content. */
async function createOldDatabase(): Promise<string> {
  const url = await postgres.newDatabase();
  await using sql = new SQL(url, { max: 1 });
  await sql.unsafe(migration('postgres/0001_create_store'));
  await sql`CREATE TABLE animal_store_migrations (
    version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`;
  await sql`INSERT INTO animal_store_migrations (version) VALUES (1)`;
  await sql`INSERT INTO accounts (name, plan, created_at)
    VALUES ('old', 'pro', to_timestamp(0.001))`;
  await sql`INSERT INTO api_keys (account_id, hash, label, created_at)
    VALUES (1, ${hashSecret(SECRET)}, 'x', to_timestamp(0.002))`;
  await sql.unsafe(PET);
  return url;
}

async function columnsOfFile(url: string, table: string): Promise<string[]> {
  using file = new Database(url.slice('sqlite:'.length));
  const rows = file.query<{ name: string }, []>(`PRAGMA table_info(${table})`).all();
  return rows.map(({ name }) => name);
}

async function columnsOfDatabase(url: string, table: string): Promise<string[]> {
  await using sql = new SQL(url, { max: 1 });
  const rows: { name: string }[] = await sql`SELECT column_name AS name
    FROM information_schema.columns WHERE table_name = ${table}`;
  return rows.map(({ name }) => name);
}

const BACKENDS = {
  SQLite: { createOld: async () => createOldFile(), create: newFile, columnsOf: columnsOfFile },
  PostgreSQL: {
    createOld: createOldDatabase,
    create: () => postgres.newDatabase(),
    columnsOf: columnsOfDatabase,
  },
};

async function findKey(store: Store) {
  return store.accounts.findKey(SECRET);
}

describe.each(Object.entries(BACKENDS))('a filled store on %s', (_, { createOld }) => {
  test('is upgraded without a change to its records', async () => {
    const url = await createOld();
    await using store = await openStore(url);
    expect(await findKey(store)).toMatchObject({
      key: { id: 1, label: 'x', createdAtMs: 2 },
      account: { name: 'old', plan: 'pro', createdAtMs: 1, suspendedAtMs: null },
    });
    expect(await store.pets.getPet(1n)).toMatchObject({ name: 'Rex', status: 'sold' });
  });

  test('can suspend its accounts after the upgrade', async () => {
    await using store = await openStore(await createOld());
    const before = store.revision.changes();
    await store.accounts.suspendAccount('old', { reason: 'unpaid', nowMs: 5 });
    expect((await findKey(store))?.endsAtMs).toBe(0);
    if (store.revision.writes !== undefined) expect(store.revision.changes()).not.toBe(before);
  });

  test('belongs to production after the upgrade', async () => {
    await using store = await openStore(await createOld());
    const refused = (await rejection(store.staging.claim(true))) as Error;
    expect(refused.message).toContain('has accounts of production');
    await store.staging.claim(false);
    expect(await store.forOperator(TEST_ORIGIN).staging.isStaging()).toBe(false);
  });

  test('exports the records of a new store after the upgrade', async () => {
    const url = await createOld();
    // Only the service upgrades a store. Commands refuse an old one.
    await (await openStore(url))[Symbol.asyncDispose]();
    await using exported = await backend(url).openExport();
    const [account] = await Array.fromAsync(exported.records);
    expect(Object.keys(account?.value ?? {})).toEqual(RECORD_FIELDS.account);
  });
});

describe.each(Object.entries(BACKENDS))('a new store on %s', (_, { create, columnsOf }) => {
  test('exports every column of its tables', async () => {
    const url = await create();
    await (await openStore(url))[Symbol.asyncDispose]();
    for (const kind of RECORD_KINDS) {
      const columns = await columnsOf(url, TABLES[kind]);
      expect(columns.sort()).toEqual(RECORD_FIELDS[kind].map(columnOf).sort());
    }
  });
});

test('an upgrade does not wait for a table that another program uses', async () => {
  const url = await createOldDatabase();
  await using sql = new SQL(url, { max: 1 });
  await using dump = await sql.reserve();
  await dump`BEGIN`;
  await dump`SELECT * FROM accounts`;
  expect(await rejection(openStore(url))).toHaveProperty(
    'message',
    expect.stringContaining('Cannot migrate the database while another program uses its tables'),
  );
  await dump`ROLLBACK`;
  await using store = await openStore(url);
  expect(await findKey(store)).toBeDefined();
});
