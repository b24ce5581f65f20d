import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { run, type ServedWithKey, serveWithKey } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { openStore, TEST_ORIGIN } from '../support/store.ts';
import { damageFile, newFile, newFolder } from '../support/temporary-folder.ts';
import { eventually, rejection } from '../support/time.ts';

/** The data file of a running service is taken away. */

const PAGE_BYTES = 4_096;

test('once the data file is replaced, no pet is confirmed, and the log says why', async () => {
  await using running = await serveWithKey();
  expect((await running.add()).status).toBe(201);
  expect(await running.isReady()).toBe(true);
  const { file } = running;
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);

  const response = await running.add();
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).not.toBeNull();
  expect(await running.isReady()).toBe(false);
  // Reads go on, and nothing was written.
  expect(await (await running.get('/pets')).json()).toHaveLength(1);
  await eventually(() => running.stderr().includes(`${file} was deleted, moved or replaced`));
});

test('the path of the service leads to another file: no pet is confirmed until it leads back', async () => {
  const folder = newFolder();
  const folders = ['v1', 'v2'].map((name) => join(folder, name));
  for (const each of folders) mkdirSync(each);
  const link = join(folder, 'current');
  const leadTo = (target = '') => {
    symlinkSync(target, `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  leadTo('v1');
  await using running = await serveWithKey({ DATABASE_URL: `sqlite:${link}/store.db` });
  expect((await running.add()).status).toBe(201);
  cpSync(join(folder, 'v1'), join(folder, 'v2'), { recursive: true });
  leadTo('v2');
  expect((await running.add()).status).toBe(503);
  expect(await running.isReady()).toBe(false);
  await eventually(() =>
    running.stderr().includes(`${link}/store.db was deleted, moved or replaced`),
  );
  leadTo('v1');
  expect((await running.add()).status).toBe(201);
});

function addElsewhere(file: string): void {
  using other = new Database(file);
  other.run("INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold')");
}

/** Adds a pet, moves everything from the log to the data file, and finds the root page of pets. */
function foldLog(file: string): number {
  addElsewhere(file);
  using other = new Database(file);
  other.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const [[page = 0] = []] = other
    .query("SELECT rootpage FROM sqlite_schema WHERE name = 'pets'")
    .values() as [number][];
  return page;
}

test.each([
  ['-wal', 0],
  // Another program adds a pet with a new index, which SQLite would overwrite with its own at the stop.
  ['-shm', 1],
])(
  'without its %s file, commands are refused, and a restart loses nothing',
  async (suffix, added) => {
    await using running = await serveWithKey();
    const { file, settings } = running;
    await running.add();
    rmSync(`${file}${suffix}`);
    const { stderr } = await run(settings, 'pets', 'seed', '--count', '1');
    expect(stderr).toBe(`A service uses ${file} without its -wal or -shm file. Restart it.\n`);
    if (added > 0) addElsewhere(file);
    running.kill('SIGTERM');
    await running.exited;
    await using restarted = await serveWithKey(settings);
    expect(await (await restarted.get('/pets')).json()).toHaveLength(1 + added);
  },
);

function damagePage(file: string, page: number): void {
  damageFile(file, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
}

function damageOf(running: ServedWithKey): string {
  return (
    `Cannot use ${running.file}: database disk image is malformed. ` +
    'Restart the service. If this comes back, restore a backup'
  );
}

test('the data file is damaged: the service is not ready, and says what to do', async () => {
  await using running = await serveWithKey();
  await running.add();
  damagePage(running.file, foldLog(running.file));
  expect((await running.add()).status).toBe(503);
  expect(await running.isReady()).toBe(false);
  await eventually(() => running.stderr().includes(damageOf(running)));
});

test('one page of pets is damaged: once a read has failed, no pet is confirmed', async () => {
  await using running = await serveWithKey();
  await run(running.settings, 'pets', 'seed', '--count', '3000');
  const root = foldLog(running.file);
  const page = readFileSync(running.file).subarray((root - 1) * PAGE_BYTES);
  // The first cell of the root begins with the number of the page that has the first pets.
  damagePage(running.file, page.readUInt32BE(page.readUInt16BE(12)));

  expect(await running.isReady()).toBe(true);
  expect((await running.add()).status).toBe(201);
  expect((await running.get('/pets')).status).toBe(503);
  expect(await running.isReady()).toBe(false);
  expect((await running.add()).status).toBe(503);
  await eventually(() => running.stderr().includes(damageOf(running)));
});

/** Reads of the data file fail until this is disposed. */
async function failReads({ file, pid }: ServedWithKey) {
  const failing = ['-P', file, '-e', 'inject=pread64:error=EIO', '-p', `${pid}`];
  const command = [requireProgram('strace'), '-f', '-o', '/dev/null', ...failing];
  const tracer = Bun.spawn(command, { stderr: 'pipe' });
  await tracer.stderr.getReader().read();
  return { [Symbol.dispose]: () => tracer.kill('SIGKILL') };
}

test('reads fail for a moment: the service is not ready until a restart, and then as before', async () => {
  const { settings } = newFile();
  {
    await using running = await serveWithKey(settings);
    await run(running.settings, 'pets', 'seed', '--count', '3000');
    foldLog(running.file);
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
});

test('no change by an operator is confirmed in a deleted file', async () => {
  const { path, url } = newFile();
  await using store = await openStore(url);
  const operator = store.forOperator(TEST_ORIGIN);
  rmSync(path);
  const nowMs = Date.now();
  const changes = [
    () =>
      operator.accounts.createAccount({
        name: 'a',
        plan: 'free',
        limits: PLANS.free.limits,
        nowMs,
      }),
    () => operator.pets.addPet({ name: 'Rex', categoryId: 1n, status: 'available' }),
  ];
  for (const change of changes) {
    expect(await rejection(change())).toBeInstanceOf(StoreUnavailableError);
  }
});
