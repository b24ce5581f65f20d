import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, refusal, runLine } from '../support/command.ts';
import { connectTo, newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { changeFile, newFile, newFolder } from '../support/temporary-folder.ts';

describe('a command in a folder without a store', () => {
  const missing = (path: string) => `There is no store at ${path}.`;

  test.each(['pets import -', 'store backup backup.db'])(
    '%s creates nothing, and names the file',
    async (line) => {
      const folder = newFolder();
      const path = join(folder, 'data/store.db');
      expect(await refusal({ DATABASE_URL: `sqlite:${path}` }, line)).toStartWith(missing(path));
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('looks for the store in that folder, and says what to do', async () => {
    const folder = newFolder();
    const { stderr } = await runLine(commandLine('accounts list'), {}, folder);
    expect(stderr).toStartWith(missing(join(folder, 'data/animal-store.db')));
    expect(stderr).toContain('name its store with --database or DATABASE_URL.');
  });

  test('does not say that a file is missing if it may not look at it', async () => {
    const { path, url } = newFile();
    // Root may see every file, so a link to itself stands for a folder without permission.
    symlinkSync(path, path);
    expect(await refusal({}, 'accounts list --database', url)).toStartWith(
      `Cannot use ${path}: too many symbolic links encountered.`,
    );
  });

  test('refuses an empty file as well', async () => {
    const { folder, path, url } = newFile();
    await Bun.write(path, '');
    expect(await refusal({}, 'accounts list --database', url)).toStartWith(missing(path));
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['store.db'], '']);
  });
});

test.skipIf(lacks('postgres'))(
  'a PostgreSQL database without a store is named without the password, and stays without tables',
  async () => {
    const url = new URL(await newPostgresDatabase());
    const shown = url.href;
    url.password = 'hunter2';
    expect(await refusal({}, 'pets import - --database', url.href)).toStartWith(
      `There is no store at ${shown}.`,
    );
    await using sql = connectTo(url.href);
    const tables = sql`SELECT FROM information_schema.tables WHERE table_schema = 'public'`;
    expect(await tables).toBeEmpty();
  },
);

test('a database of another program stays unchanged, including its journal mode', async () => {
  const { path, url } = newFile();
  changeFile(path, 'CREATE TABLE notes (text)');
  const before = readFileSync(path);
  for (const word of ['audit', 'serve']) {
    expect(await refusal({}, word, '--database', url)).toStartWith(
      `${path} belongs to another program.`,
    );
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});
