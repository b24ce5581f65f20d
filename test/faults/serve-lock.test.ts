import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { rmSync, symlinkSync } from 'node:fs';
import { lockForServing } from '../../src/stores/sqlite/data-file.ts';
import { runJson, type Settings, serve } from '../support/command.ts';
import { serveWithKey } from '../support/serve-with-key.ts';
import { newFile } from '../support/temporary-folder.ts';

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
  const { path } = newFile();
  {
    using old = new Database(path);
    old.run(await Bun.file('migrations/sqlite/0001_create_store.sql').text());
    old.run('PRAGMA user_version = 1');
  }
  const content = await Bun.file(path).bytes();
  using _served = lockForServing(path);
  expect(await start(path)).toContain(REFUSED);
  expect(await Bun.file(path).bytes()).toEqual(content);
});

test('a link to a file that does not exist yet is followed by everything, also by the lock', async () => {
  const { path, settings } = newFile();
  const real = newFile().path;
  symlinkSync(real, path);
  await using running = await serveWithKey(settings);
  expect((await running.add()).status).toBe(201);
  expect(await runJson<object[]>(at(real), 'accounts', 'list')).toHaveLength(2);
  expect(await start(real)).toContain(REFUSED);
  rmSync(`${real}-wal`);
  expect((await running.add()).status).toBe(503);
});
