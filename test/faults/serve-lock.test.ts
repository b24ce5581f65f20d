import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { lockForServing } from '../../src/stores/sqlite/data-file.ts';
import { makeKey, runJson, type Settings, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REFUSED = 'Another animal-store is serving';

function at(path: string): Settings {
  return { DATABASE_URL: `sqlite:${path}`, PORT: '0', OPERATOR_PORT: '0' };
}

/** The error of a start. */
async function start(path: string): Promise<string> {
  try {
    await using _service = await serve(at(path));
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Ways to a second service on one data file. Each returns the path that it would use. */
const WAYS: Readonly<Record<string, (file: string, folder: string) => string>> = {
  'under the same path': (file) => file,
  'through a symbolic link to the file': (file, folder) => {
    const link = join(folder, 'link.db');
    symlinkSync(file, link);
    return link;
  },
  'through a symbolic link to its folder': (_, folder) => {
    symlinkSync(join(folder, 'data'), join(folder, 'elsewhere'));
    return join(folder, 'elsewhere/store.db');
  },
};

describe('while a service runs, a second one does not start on its data file', () => {
  test.each(Object.entries(WAYS))('%s', async (_, find) => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'data/store.db');
    await using _first = await serve(at(file));
    expect(await start(find(file, folder.path))).toContain(REFUSED);
  });
});

test('a file that another process serves is not changed by a start that is refused', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  {
    using old = new Database(file);
    old.run(await Bun.file('migrations/sqlite/0001_create_store.sql').text());
    old.run('PRAGMA user_version = 1');
  }
  const content = await Bun.file(file).bytes();
  using _served = lockForServing(file);
  expect(await start(file)).toContain(REFUSED);
  expect(await Bun.file(file).bytes()).toEqual(content);
});

test('a killed service leaves no lock behind', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  {
    await using _killed = await serve(at(file));
  }
  await using _next = await serve(at(file));
});

test('a link to a file that does not exist yet is followed by everything that opens it', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'volume'));
  const link = join(folder.path, 'store.db');
  symlinkSync(join(folder.path, 'volume/real.db'), link);
  await using service = await serve(at(link));
  const { secret } = await makeKey(at(link), 'a');
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const url = `${service.started.api}/pets`;
  const body = '{"name":"Rex","categoryId":1}';
  const add = () => fetch(url, { method: 'POST', headers, body });
  expect((await add()).status).toBe(201);
  expect(await runJson(at(join(folder.path, 'volume/real.db')), 'accounts', 'list')).toMatchObject([
    { name: 'demo' },
    { name: 'a' },
  ]);
  rmSync(join(folder.path, 'volume/real.db-wal'));
  expect((await add()).status).toBe(503);
});
