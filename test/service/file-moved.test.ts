import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { run, type ServedWithKey, serveWithKey } from '../support/command.ts';
import { lacks, requireProgram } from '../support/programs.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

/** The data file of a running service is taken away. */

function addElsewhere(file: string): void {
  using other = new Database(file);
  other.run("INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold')");
}

test.each([
  ['-wal', 0],
  // Another program adds a pet with a new index, which SQLite would overwrite with its own at the stop.
  ['-shm', 1],
])(
  'without its %s file, commands are refused, and a restart loses no pet',
  async (suffix, added) => {
    await using running = await serveWithKey();
    const { file, settings } = running;
    await running.add();
    rmSync(`${file}${suffix}`);
    // Its count can no longer be saved.
    await running.get('/pets');
    const { stderr } = await run(settings, 'pets seed --count 1');
    expect(stderr).toBe(`A service uses ${file} without its -wal or -shm file. Restart it.\n`);
    if (added > 0) addElsewhere(file);
    running.kill('SIGTERM');
    await running.exited;
    expect(running.stderr()).toContain('usage history is lost');
    await using restarted = await serveWithKey(settings);
    expect(await (await restarted.get('/pets')).json()).toHaveLength(1 + added);
  },
);

/** Reads of the data file fail until this is disposed. */
async function failReads({ file, pid }: ServedWithKey) {
  const failing = ['-P', file, '-e', 'inject=pread64:error=EIO', '-p', `${pid}`];
  const command = [requireProgram('strace'), '-f', '-o', '/dev/null', ...failing];
  const tracer = Bun.spawn(command, { stderr: 'pipe' });
  await tracer.stderr.getReader().read();
  return { [Symbol.dispose]: () => tracer.kill('SIGKILL') };
}

test.skipIf(lacks('strace'))(
  'reads fail for a moment: the service is not ready until a restart, and then as before',
  async () => {
    const { settings } = newFile();
    {
      await using running = await serveWithKey(settings);
      await run(running.settings, 'pets seed --count 3000');
      addElsewhere(running.file);
      using other = new Database(running.file);
      other.run('PRAGMA wal_checkpoint(TRUNCATE)');
      {
        using _failing = await failReads(running);
        await eventually(async () => (await running.get('/pets')).status === 503);
      }
      expect(await running.isReady()).toBe(false);
      await eventually(() => running.stderr().includes('Restart the service.'));
    }
    await using restarted = await serveWithKey(settings);
    expect(await restarted.isReady()).toBe(true);
    expect((await restarted.get('/pets')).status).toBe(200);
    expect((await restarted.add()).status).toBe(201);
  },
);
