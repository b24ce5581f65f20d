import { expect, test } from 'bun:test';
import { truncateSync } from 'node:fs';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { run, runProcess, serveWithKey } from '../support/command.ts';
import { eventually } from '../support/time.ts';

test.each([
  ['all of it', (log: string) => truncateSync(log)],
  ['its end', (log: string, bytes: number) => truncateSync(log, bytes - 1)],
  [
    'a part before the end, as if a commit had come right after a cut',
    (log: string, bytes: number) => {
      truncateSync(log, bytes / 2);
      truncateSync(log, bytes);
    },
  ],
])('if the log loses %s, nothing more is confirmed until a restart', async (_, cut) => {
  await using running = await serveWithKey();
  const { file, settings, add } = running;
  {
    using other = openDatabase(file);
    other.run('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  for (let pet = 0; pet < 5; pet++) expect((await add()).status).toBe(201);
  const log = `${file}-wal`;
  cut(log, Bun.file(log).size);

  expect((await add()).status).toBe(503);
  expect(await running.isReady()).toBe(false);
  await eventually(() => /-wal file was cut.* compare it with a backup/.test(running.stderr()));
  const backUp = ['store', 'backup', `${file}.backup`];
  // A process, since the runtime touches open files at its end.
  expect((await runProcess(settings, ...backUp)).exitCode).toBe(1);

  running.kill('SIGTERM');
  await running.exited;
  await using restarted = await serveWithKey(settings);
  expect((await restarted.add()).status).toBe(201);
  expect((await run(settings, ...backUp)).exitCode).toBe(0);
});
