import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { SQL } from 'bun';
import { RECORD_FIELDS, RECORD_KINDS } from '../../src/domain/operator/transfer.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { addressOf } from '../../src/stores/postgres/address.ts';
import * as postgres from '../../src/stores/postgres/migrate.ts';
import { columnOf, TABLES } from '../../src/stores/sql/tables.ts';
import * as sqlite from '../../src/stores/sqlite/database.ts';
import { openStore } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let server: Awaited<ReturnType<typeof postgresForSuites>>;
const folder = temporaryFolder();
let files = 0;

beforeAll(async () => {
  server = await postgresForSuites();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A migration that a later version might have. */
const SECOND = "ALTER TABLE pets ADD COLUMN color text NOT NULL DEFAULT 'brown'";
const NEXT_FILE = { ...sqlite.DATA, migrations: [...sqlite.DATA.migrations, SECOND] };
const NEXT_DATABASE = [...postgres.MIGRATIONS, SECOND];

/** The clock of an account belongs to its store. */
const NOT_EXPORTED = ['clock_put_to', 'clock_offset', 'resets'];

interface Migrating {
  create(): Promise<string>;
  /** As the next version does at its start. */
  migrate(url: string): Promise<void>;
  /** As a command of the next version does. */
  requireNext(url: string): Promise<void>;
  query(url: string, sql: string): Promise<unknown[]>;
  readonly columns: (table: string) => string;
}

async function onFile<T>(url: string, run: (file: Database) => T): Promise<T> {
  using file = new Database(url.slice('sqlite:'.length));
  return run(file);
}

async function onServer<T>(url: string, run: (sql: SQL) => Promise<T>): Promise<T> {
  await using sql = new SQL(url, { max: 1 });
  return await run(sql);
}

const DATABASES: Record<string, Migrating> = {
  SQLite: {
    create: async () => `sqlite:${join(folder.path, `${++files}.db`)}`,
    migrate: (url) => onFile(url, (file) => sqlite.migrate(file, NEXT_FILE)),
    requireNext: (url) => onFile(url, (file) => sqlite.requireCurrent(file, NEXT_FILE)),
    query: (url, sql) => onFile(url, (file) => file.query(sql).all()),
    columns: (table) => `SELECT name FROM pragma_table_info('${table}')`,
  },
  PostgreSQL: {
    create: () => server.newDatabase(),
    migrate: (url) => onServer(url, (sql) => postgres.migrate(sql, NEXT_DATABASE)),
    requireNext: (url) =>
      onServer(url, (sql) => postgres.requireCurrent(sql, addressOf(url), NEXT_DATABASE)),
    query: (url, query) => onServer(url, (sql) => sql.unsafe(query)),
    columns: (table) =>
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${table}'`,
  },
};

async function createStore(url: string): Promise<void> {
  await using store = await openStore(url);
  await store.accounts.createAccount({
    ...{ name: 'a', plan: 'free', limits: PLANS.free.limits, nowMs: 1 },
  });
  await store.pets.createPet({ name: 'Rex', categoryId: 1n, status: 'sold' });
}

describe.each(Object.entries(DATABASES))('a store on %s', (_, database) => {
  test('gets a second migration once, and keeps its records', async () => {
    const url = await database.create();
    await createStore(url);
    expect(await rejection(database.requireNext(url))).toHaveProperty(
      'message',
      expect.stringContaining('An older version of Animal Store wrote'),
    );
    await database.migrate(url);
    await database.migrate(url);
    await database.requireNext(url);
    expect(await database.query(url, 'SELECT name, color FROM pets')).toEqual([
      { name: 'Rex', color: 'brown' },
    ]);
    expect(await rejection(openStore(url))).toHaveProperty(
      'message',
      expect.stringContaining('A newer version of Animal Store wrote'),
    );
  });

  test('exports every column of its tables, except the clocks of accounts', async () => {
    const url = await database.create();
    await createStore(url);
    for (const kind of RECORD_KINDS) {
      const rows = await database.query(url, database.columns(TABLES[kind]));
      const columns = (rows as { name: string }[]).map(({ name }) => name);
      const exported = columns.filter((name) => !NOT_EXPORTED.includes(name));
      expect(exported.sort()).toEqual(RECORD_FIELDS[kind].map(columnOf).sort());
    }
  });
});

test('a migration does not wait for a table that another program uses', async () => {
  const url = await server.newDatabase();
  await createStore(url);
  await using sql = new SQL(url, { max: 1 });
  await using dump = await sql.reserve();
  await dump`BEGIN`;
  await dump`SELECT * FROM pets`;
  expect(
    await rejection(onServer(url, (other) => postgres.migrate(other, NEXT_DATABASE))),
  ).toHaveProperty(
    'message',
    expect.stringContaining('Cannot migrate the database while another program uses its tables'),
  );
  await dump`ROLLBACK`;
  await onServer(url, (other) => postgres.migrate(other, NEXT_DATABASE));
});
