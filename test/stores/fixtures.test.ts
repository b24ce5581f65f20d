import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '#formats/json.ts';
import { printed } from '../support/command.ts';
import { connectTo, newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { openStore, type Settings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { type TestDatabase, testDatabases } from './databases.ts';
import { exportOf, importOf, recordsIn } from './full-store.ts';

const FIXTURES = join(import.meta.dir, '../fixtures');

const DATABASES = Object.fromEntries(testDatabases());

/** The columns, constraints and triggers in a part of a schema. In SQLite, a table has a line for each of them. */
function rulesIn(part: string): readonly string[] {
  if (part.startsWith('CREATE TABLE')) return part.match(/^ +[^- ].*?(?=,? *(--.*)?$)/gm) ?? [];
  return /^CREATE (?!TRIGGER)/.test(part) ? [] : [part];
}

/** What the releases left behind, as scripts/make-fixtures.ts made it. */
describe.each(readdirSync(FIXTURES))('a later version opens what %s wrote:', (version) => {
  const fixture = (name: string) => Bun.file(join(FIXTURES, version, name));

  async function unzipped(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return Bun.gunzipSync(await fixture(`${name}.gz`).bytes());
  }

  function records(text: string): unknown[] {
    return recordsIn(text).map((line) => parseJson(line));
  }

  const isPet = (record: unknown) => 'pet' in (record as object);

  /** Only a service migrates a store. The schema becomes that of a new store, and every earlier rule stays in force. */
  async function migrate({ DATABASE_URL = '' }: Settings, kind: 'SQLite' | 'PostgreSQL') {
    const { create, query, parts } = DATABASES[kind] as TestDatabase;
    const schemaOf = async (url: string) =>
      ((await query(url, parts)) as { text: string }[]).map(({ text }) => text).sort();
    const before = await schemaOf(DATABASE_URL);
    const url = await create();
    for (const target of [DATABASE_URL, url]) {
      await using _store = await openStore(target);
    }
    const after = await schemaOf(DATABASE_URL);
    expect(after).toEqual(await schemaOf(url));
    const schema = after.join('\n');
    expect(before.flatMap(rulesIn).filter((rule) => !schema.includes(rule))).toEqual([]);
    expect(schema).not.toContain('NOT VALID');
  }

  /** The store has every record with every field, for a command and for a caller with its key. */
  async function expectWhole(settings: Settings, kind: 'sqlite' | 'postgres') {
    const name = kind === 'sqlite' ? 'export.ndjson' : 'postgres.ndjson';
    const expected = records(new TextDecoder().decode(await unzipped(name)));
    const actual = records(await exportOf(settings));
    expect(actual).toMatchObject(expected);
    // Nothing is made up for a field that it did not know.
    expect(actual.filter(isPet)).toEqual(expected.filter(isPet));
    const key = (await fixture('keys.json').json())[kind];
    await using store = await openStore(settings['DATABASE_URL'] ?? '');
    expect(await store.keys.findKey(key)).toBeDefined();
    expect(await store.pets.listPets({ after: 7n, limit: 1 })).toMatchObject([{ id: 8n }]);
  }

  test('its migrations never change', () => {
    const folder = newFile().path;
    mkdirSync(folder);
    const tarball = join(FIXTURES, version, 'package.tgz');
    const unpack = ['tar', '-xzf', tarball, '-C', folder, 'package/migrations'];
    expect(Bun.spawnSync(unpack).exitCode).toBe(0);
    const differences = ['diff', '-r', join(folder, 'package/migrations'), 'migrations'];
    const { stdout } = Bun.spawnSync(differences, { cwd: join(FIXTURES, '../..') });
    expect(stdout.toString().replaceAll(/^Only in migrations.*\n/gm, '')).toBe('');
  });

  test('a data file', async () => {
    const { path, settings } = newFile();
    await Bun.write(path, await unzipped('store.db'));
    await migrate(settings, 'SQLite');
    await expectWhole(settings, 'sqlite');
  });

  test('a backup', async () => {
    const backup = newFile().path;
    await Bun.write(backup, await unzipped('backup.db'));
    const { settings } = newFile();
    await printed(settings, 'store restore', backup, '--create');
    await expectWhole(settings, 'sqlite');
  });

  test('an export', async () => {
    const lines = await unzipped('export.ndjson');
    const targets = [newFile().settings];
    if (!lacks('postgres')) targets.push({ DATABASE_URL: await newPostgresDatabase() });
    for (const settings of targets) {
      expect(await importOf(lines, settings)).toMatchObject({ exitCode: 0 });
      await expectWhole(settings, 'sqlite');
    }
  });

  test.skipIf(lacks('postgres'))('a dump of PostgreSQL', async () => {
    const settings = { DATABASE_URL: await newPostgresDatabase() };
    await using sql = connectTo(settings.DATABASE_URL);
    const dump = new TextDecoder().decode(await unzipped('postgres.sql'));
    for (const _ of ['into an empty database', 'over a store of this version']) {
      // As `pg_restore --clean` does: it leaves functions that the dump does not know.
      for (const [, object] of dump.matchAll(/^CREATE ((TABLE|FUNCTION) public\.\w+)/gm)) {
        await sql.unsafe(`DROP ${object?.replace(' ', ' IF EXISTS ')} CASCADE`);
      }
      await sql.unsafe(dump);
      await migrate(settings, 'PostgreSQL');
      await expectWhole(settings, 'postgres');
    }
  });
});
