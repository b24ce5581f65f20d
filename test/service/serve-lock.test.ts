import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { rmSync, symlinkSync } from 'node:fs';
import { lockForServing } from '../../src/stores/sqlite/data-file.ts';
import { runJson, serve, serveWithKey } from '../support/command.ts';
import { newFile, type TestFile } from '../support/temporary-folder.ts';

const REFUSED = 'Another animal-store is serving';

/** The error of a start. */
async function start({ settings }: TestFile): Promise<string> {
  try {
    await using _service = await serve(settings);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a file that another process serves is not changed by a start that is refused', async () => {
  const file = newFile();
  const { path } = file;
  {
    using old = new Database(path);
    old.run(await Bun.file('migrations/sqlite/0001_create_store.sql').text());
    old.run('PRAGMA user_version = 1');
  }
  const content = await Bun.file(path).bytes();
  using _served = lockForServing(path);
  expect(await start(file)).toContain(REFUSED);
  expect(await Bun.file(path).bytes()).toEqual(content);
});

test('a link to a file that does not exist yet is followed by everything, also by the lock', async () => {
  const { path, settings } = newFile();
  const real = newFile();
  symlinkSync(real.path, path);
  await using running = await serveWithKey(settings);
  expect((await running.add()).status).toBe(201);
  expect(await runJson<object[]>(real.settings, 'accounts list')).toHaveLength(2);
  expect(await start(real)).toContain(REFUSED);
  rmSync(`${real.path}-wal`);
  expect((await running.add()).status).toBe(503);
});
