import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { run, serveWithKey } from '../support/command.ts';

test.each([
  ['-wal', 0],
  // Another program adds a pet with a new index, which SQLite would overwrite with its own at the stop.
  ['-shm', 1],
])(
  'a data file without its %s file: commands are refused, and a restart loses no pet',
  async (suffix, added) => {
    await using running = await serveWithKey();
    const { file, settings } = running;
    await running.add();
    rmSync(`${file}${suffix}`);
    // Its count can no longer be saved.
    await running.get('/pets');
    const { stderr } = await run(settings, 'pets seed --count 1');
    expect(stderr).toBe(`A service uses ${file} without its -wal or -shm file. Restart it.\n`);
    if (added > 0) {
      using other = new Database(file);
      other.run("INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold')");
    }
    running.kill('SIGTERM');
    await running.exited;
    expect(running.stderr()).toContain('usage history is lost');
    await using restarted = await serveWithKey(settings);
    expect(await (await restarted.get('/pets')).json()).toHaveLength(1 + added);
  },
);
