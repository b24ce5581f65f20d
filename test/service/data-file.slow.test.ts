import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { run, type ServedWithKey, serveWithKey } from '../support/command.ts';
import { lacks, requireProgram } from '../support/programs.ts';
import { changeFile } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

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
    // The count of this request can no longer be saved.
    await running.get('/pets');
    const { stderr } = await run(settings, 'pets seed --count 1');
    expect(stderr).toBe(`A service uses ${file} without its -wal or -shm file. Restart it.\n`);
    if (added > 0) {
      changeFile(file, "INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold')");
    }
    await running.stop();
    expect(running.stderr()).toContain('usage history is lost');
    await using restarted = await serveWithKey(settings);
    expect(await (await restarted.get('/pets')).json()).toHaveLength(1 + added);
  },
);

const IMPATIENT = { STORE_TIMEOUT_SECONDS: '1' };

async function isRefused({ add }: ServedWithKey) {
  return (await add()).status === 503;
}

/** Syncs of the service take ten minutes until this is disposed. A creation has been refused by then. */
async function hangDisk(running: ServedWithKey) {
  const hang = 'inject=fdatasync,fsync:delay_enter=600000000';
  const tracer = Bun.spawn(
    [requireProgram('strace'), '-f', '-o', '/dev/null', '-e', hang, '-p', `${running.pid}`],
    { stderr: 'pipe' },
  );
  // The tracer says when it has attached to every thread. Before that, a busy machine may also refuse a creation,
  // although the disk does not hang yet.
  await tracer.stderr.getReader().read();
  await eventually(() => isRefused(running));
  return { [Symbol.dispose]: () => tracer.kill('SIGKILL') };
}

test.skipIf(lacks('strace'))(
  'while the disk hangs, creations get a 503 and the service is not ready',
  async () => {
    await using running = await serveWithKey(IMPATIENT);
    const { add, get, isReady } = running;
    const countPets = async () => ((await (await get('/pets')).json()) as object[]).length;
    using hang = await hangDisk(running);
    const before = await countPets();
    expect(await isReady()).toBe(false);
    // These are not even sent to the writer thread, which would add their pets later.
    for (let each = 0; each < 3; each++) expect(await isRefused(running)).toBe(true);

    hang[Symbol.dispose]();
    await eventually(isReady);
    // This creation was refused first.
    expect(await countPets()).toBe(before + 1);
    await eventually(async () => (await add()).status === 201);
  },
);
