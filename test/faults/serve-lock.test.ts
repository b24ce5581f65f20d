import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { lockForServing } from '../../src/stores/sqlite/data-file.ts';
import { runJson, type Settings, serve } from '../support/command.ts';
import { serveFile } from '../support/serve-file.ts';
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

test('a link to a file that does not exist yet is followed by everything, also by the lock', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'volume'));
  const real = join(folder.path, 'volume/real.db');
  symlinkSync(real, join(folder.path, 'store.db'));
  await using running = await serveFile(folder.path);
  expect((await running.add()).status).toBe(201);
  expect(await runJson<object[]>(at(real), 'accounts', 'list')).toHaveLength(2);
  expect(await start(real)).toContain(REFUSED);
  rmSync(`${real}-wal`);
  expect((await running.add()).status).toBe(503);
});
