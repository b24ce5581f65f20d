import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { RECORD_FIELDS, RECORD_KINDS } from '../../src/domain/operator/transfer.ts';
import { PET_COLUMNS } from '../../src/domain/pet-columns.ts';
import * as postgres from '../../src/stores/postgres/migrate.ts';
import { columnOf } from '../../src/stores/sql/sql.ts';
import { TABLES } from '../../src/stores/sql/tables.ts';
import { requireCurrent } from '../../src/stores/sql/version.ts';
import * as sqlite from '../../src/stores/sqlite/database.ts';
import { openStore } from '../support/open-store.ts';
import { messageOf, pathOf, REX, testDatabases } from './databases.ts';

/** A migration that a later version might have. */
const SECOND = "ALTER TABLE pets ADD COLUMN color text NOT NULL DEFAULT 'brown'";
const NEXT_FILE = { ...sqlite.DATA, migrations: [...sqlite.DATA.migrations, SECOND] };
const NEXT_DATABASE = [...postgres.MIGRATIONS, SECOND];

/** The clock of an account belongs to its store. */
const NOT_EXPORTED = ['clock_put_to', 'clock_offset', 'resets'];

interface Migrating {
  /** As the next version does at its start. */
  migrate(url: string): Promise<void>;
  /** As a command of the next version does. */
  requireNext(url: string): Promise<void>;
  readonly columns: (table: string) => string;
  /** The type of a column, by the kind of its field. */
  readonly types: Readonly<Record<string, string>>;
}

async function onFile(url: string, run: (file: Database) => void): Promise<void> {
  using file = new Database(pathOf(url));
  run(file);
}

async function onServer(url: string, run: (sql: SQL) => Promise<void>): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await run(sql);
}

const FILE: Migrating = {
  migrate: (url) => onFile(url, (file) => sqlite.migrate(file, NEXT_FILE)),
  requireNext: (url) =>
    onFile(url, (file) =>
      requireCurrent(sqlite.readVersion(file), NEXT_FILE.migrations.length, url),
    ),
  columns: (table) => `SELECT name, lower(type) AS type FROM pragma_table_info('${table}')`,
  types: { text: 'text', int64: 'integer', integer: 'integer', boolean: 'integer' },
};

const SERVER: Migrating = {
  migrate: (url) => onServer(url, (sql) => postgres.migrate(sql, NEXT_DATABASE)),
  requireNext: (url) =>
    onServer(url, async (sql) =>
      requireCurrent(await postgres.countApplied(sql), NEXT_DATABASE.length, url),
    ),
  columns: (table) =>
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_name = '${table}'`,
  types: { text: 'text', int64: 'bigint', integer: 'integer', boolean: 'boolean' },
};

describe.each(testDatabases())('a store on %s', (_, { isFile, create, query }) => {
  const { migrate, requireNext, columns, types } = isFile ? FILE : SERVER;

  async function newStore(): Promise<string> {
    const url = await create();
    await using store = await openStore(url);
    await store.pets.createPet(REX);
    return url;
  }

  test('gets a second migration once, and keeps its records', async () => {
    const url = await newStore();
    expect(await messageOf(requireNext(url))).toContain('An older version of Animal Store wrote');
    await migrate(url);
    await migrate(url);
    await requireNext(url);
    expect(await query(url, 'SELECT name, color FROM pets')).toEqual([
      { name: 'Rex', color: 'brown' },
    ]);
    expect(await messageOf(openStore(url))).toContain('A newer version of Animal Store wrote');
  });

  test('exports every column of its tables, except the clocks of accounts', async () => {
    const url = await newStore();
    for (const kind of RECORD_KINDS) {
      const rows = (await query(url, columns(TABLES[kind]))) as { name: string }[];
      const names = rows.map(({ name }) => name).filter((name) => !NOT_EXPORTED.includes(name));
      expect(names.toSorted()).toEqual(RECORD_FIELDS[kind].map(columnOf).toSorted());
    }
  });

  test('has a column of the right type for every field of a pet', async () => {
    const rows = (await query(await newStore(), columns('pets'))) as {
      name: string;
      type: string;
    }[];
    const actual = Object.fromEntries(rows.map(({ name, type }) => [name, type]));
    const expected = Object.entries(PET_COLUMNS).map(([field, kind]) => [
      columnOf(field),
      types[kind.replace('?', '')],
    ]);
    expect(actual).toMatchObject(Object.fromEntries(expected));
  });

  test.if(!isFile)('does not wait for a table that another program uses', async () => {
    const url = await newStore();
    await using sql = new SQL(url, { max: 1 });
    await using dump = await sql.reserve();
    await dump`BEGIN`;
    await dump`SELECT * FROM pets`;
    expect(await messageOf(migrate(url))).toContain(
      'Cannot migrate the database while another program uses its tables',
    );
    await dump`ROLLBACK`;
    await migrate(url);
  });
});
