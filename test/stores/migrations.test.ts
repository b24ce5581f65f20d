import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { RECORD_FIELDS, RECORD_KINDS } from '#domain/operator/transfer.ts';
import { ORIGIN_COLUMNS, PET_COLUMNS } from '#domain/pet-columns.ts';
import * as postgres from '#stores/postgres/migrate.ts';
import { columnOf, TABLES } from '#stores/sql/sql.ts';
import * as sqlite from '#stores/sqlite/database.ts';
import { connectTo } from '../support/postgres.ts';
import { backend, openStore } from '../support/store.ts';
import { eventually } from '../support/time.ts';
import { areWaiting, messageOf, pathOf, REX, testDatabases } from './databases.ts';

/** The clock of an account belongs to its store. */
const NOT_EXPORTED = ['clock_put_to', 'clock_offset', 'resets'];

/** The types of columns in SQLite and in PostgreSQL. */
const COLUMN_TYPES: Readonly<Record<string, RegExp>> = {
  boolean: /^(INTEGER|boolean)$/,
  int64: /^(INTEGER|bigint)$/,
  integer: /^(INTEGER|integer|bigint)$/,
  text: /^text$/i,
};

const ADD_PETS = `INSERT INTO pets (name, category_id, status)
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
  SELECT 'Rex', n, 'sold' FROM numbers`;

/** Those of a connection to SQLite that a migration may change, and must restore. */
const SETTINGS = [
  'defer_foreign_keys',
  'foreign_keys',
  'ignore_check_constraints',
  'legacy_alter_table',
  'mmap_size',
  'recursive_triggers',
  'synchronous',
  'writable_schema',
];

const FILE = {
  /** A store as the first version created it. */
  async createOld(url: string, version = 1) {
    using file = new Database(pathOf(url));
    sqlite.migrateFile(file, {
      ...sqlite.DATA,
      migrations: sqlite.DATA.migrations.slice(0, version),
    });
  },
  /** Changes if the table of pets is written again, or gets an index. */
  space: `SELECT name, rootpage, (SELECT count(*) FROM dbstat WHERE name = part.name) AS pages
    FROM sqlite_schema AS part WHERE tbl_name = 'pets'`,
  /** The settings that a migration has changed in its own connection. */
  async changedSettings(url: string): Promise<unknown[]> {
    using migrated = sqlite.openDatabase(pathOf(url));
    using opened = sqlite.openDatabase(pathOf(url));
    const [first, second] = [migrated, opened].map((file) =>
      SETTINGS.map((name) => `${name} ${file.query(`PRAGMA ${name}`).values()}`),
    );
    return first?.filter((setting) => !second?.includes(setting)) ?? [];
  },
  becomeNewer: 'PRAGMA user_version = 99',
  columns: (table: string) => `SELECT name, type FROM pragma_table_info('${table}')`,
};

const SERVER: typeof FILE = {
  async createOld(url, version = 1) {
    await using sql = connectTo(url);
    await postgres.migrateServer(sql, postgres.MIGRATIONS.slice(0, version));
  },
  space: `SELECT pg_relation_filenode('pets'), pg_relation_size('pets'), pg_indexes_size('pets')`,
  async changedSettings(url) {
    await using sql = connectTo(url);
    await postgres.migrateServer(sql);
    return await sql`SELECT name FROM pg_settings WHERE source = 'session'`;
  },
  becomeNewer: 'INSERT INTO animal_store_migrations (version) VALUES (99)',
  columns: (table) =>
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_name = '${table}'`,
};

describe.each(testDatabases())('a store on %s', (_, { isFile, create, query }) => {
  const { createOld, space, changedSettings, becomeNewer, columns } = isFile ? FILE : SERVER;

  async function open(url: string): Promise<void> {
    await using _store = await openStore(url);
  }

  async function oldStore() {
    const url = await create();
    await createOld(url);
    await query(url, ADD_PETS);
    return url;
  }

  test('is upgraded once, by a service, without a new copy of its pets', async () => {
    const url = await oldStore();
    const before = await query(url, space);
    const openForCommand = () => backend(url).openForCommand();
    expect(await messageOf(openForCommand())).toContain('An older version of Animal Store wrote');
    await open(url);
    await open(url);
    await (await openForCommand())[Symbol.asyncDispose]();
    expect(await query(url, space)).toEqual(before);
    expect(await query(url, 'SELECT name FROM pets')).toHaveLength(10_000);
    await query(url, becomeNewer);
    for (const opening of [() => open(url), openForCommand]) {
      expect(await messageOf(opening())).toContain('A newer version of Animal Store wrote');
    }
  });

  test('exports every column of its tables, except the clocks of accounts', async () => {
    const url = await create();
    await open(url);
    for (const kind of RECORD_KINDS) {
      const rows = (await query(url, columns(TABLES[kind]))) as { name: string }[];
      const names = rows.map(({ name }) => name).filter((name) => !NOT_EXPORTED.includes(name));
      expect(names.toSorted()).toEqual(RECORD_FIELDS[kind].map(columnOf).toSorted());
    }
  });

  test('keeps each field of a pet in a column of its type', async () => {
    const url = await create();
    await open(url);
    const rows = (await query(url, columns('pets'))) as { name: string; type: string }[];
    const types = new Map(rows.map(({ name, type }) => [name, type]));
    for (const [field, type] of Object.entries({ ...PET_COLUMNS, ...ORIGIN_COLUMNS })) {
      expect(types.get(columnOf(field))).toMatch(COLUMN_TYPES[type.replace('?', '')] as RegExp);
    }
  });

  test('has its checks on again after a migration, and all other settings of a connection', async () => {
    expect(await changedSettings(await create())).toEqual([]);
  });

  test.if(!isFile)('does not wait for a table that another program uses', async () => {
    const url = await oldStore();
    await using sql = connectTo(url);
    await using dump = await sql.reserve();
    await dump`BEGIN`;
    await dump`SELECT * FROM pets`;
    expect(await messageOf(open(url))).toContain(
      'Cannot migrate the database while another program uses its tables',
    );
    await dump`ROLLBACK`;
    await open(url);
  });

  test.if(!isFile).each([...postgres.MIGRATIONS.keys()].slice(1))(
    'is upgraded from version %i while a service of that version reads a pet',
    async (version) => {
      const url = await create();
      await createOld(url, version);
      await query(url, ADD_PETS);
      await using sql = connectTo(url, 3);
      await using instance = await sql.reserve();
      await using other = await sql.reserve();
      const read = () => instance`SELECT name FROM pets_by_id('{1}')`;
      await read();
      await other`BEGIN`;
      await other`SELECT FROM pets`;
      /** Waits until a step has ended or waits for a lock, which it needs only if the table of pets changes. */
      const settled = (step: Promise<unknown>, waiting: number) =>
        eventually(async () => Bun.peek.status(step) !== 'pending' || areWaiting(sql, waiting)());
      const opening = open(url);
      await settled(opening, 1);
      const reading = read().execute();
      await settled(reading, 2);
      await other`ROLLBACK`;
      expect(await reading).toEqual([{ name: 'Rex' }]);
      await opening;
    },
  );

  test.if(!isFile)('creates a pet while a later version adds a column', async () => {
    const url = await create();
    await using store = await openStore(url);
    // After some calls, PostgreSQL keeps their plan.
    for (let count = 0; count < 8; count++) await store.pets.createPet(REX);
    await using sql = connectTo(url, 2);
    await using later = await sql.reserve();
    await later`BEGIN`;
    await later`ALTER TABLE pets ADD COLUMN color text`;
    const creating = store.pets.createPet(REX);
    await eventually(areWaiting(sql, 1));
    await later`COMMIT`;
    expect((await creating).pet).toMatchObject(REX);
  });
});
