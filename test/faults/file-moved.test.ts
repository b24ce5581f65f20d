import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { eventually, makeKey, serve } from '../support/command.ts';
import { openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The data file of a running service is taken away. */

async function serveIn(folder: string) {
  const file = join(folder, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}` };
  const service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  const { listening, operator } = service.started;
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  return {
    file,
    add: () => fetch(`${listening}/v1/pets`, { method: 'POST', headers, body }),
    list: () => fetch(`${listening}/v1/pets`, { headers }),
    ready: () => fetch(`${operator}/health/ready`),
    log: () => service.stderr(),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const LOSSES: Readonly<Record<string, (file: string) => string>> = {
  'the data file is deleted': (file) => {
    rmSync(file);
    return file;
  },
  'the data file is moved': (file) => {
    renameSync(file, `${file}.moved`);
    return file;
  },
  'the data file is replaced': (file) => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    return file;
  },
  'the log of SQLite is deleted': (file) => {
    rmSync(`${file}-wal`);
    return `${file}-wal`;
  },
};

for (const [loss, lose] of Object.entries(LOSSES)) {
  test(`once ${loss}, no pet is confirmed, and the log says why`, async () => {
    using folder = temporaryFolder();
    await using running = await serveIn(folder.path);
    expect((await running.add()).status).toBe(201);
    expect((await running.ready()).status).toBe(200);
    const path = lose(running.file);

    const response = await running.add();
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).not.toBeNull();
    expect((await running.ready()).status).toBe(503);
    // Reads go on.
    expect((await running.list()).status).toBe(200);
    await eventually(() => running.log().includes(`${path} was deleted, moved or replaced`));
  });
}

/** Adds a pet, and moves everything from the log to the data file. */
function foldLog(file: string): Database {
  const other = new Database(file);
  other.run("INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold')");
  other.run('PRAGMA wal_checkpoint(TRUNCATE)');
  return other;
}

test('the data file is damaged: the service is not ready, and says what to do', async () => {
  using folder = temporaryFolder();
  await using running = await serveIn(folder.path);
  await running.add();
  using other = foldLog(running.file);
  const [[page, size] = []] = other
    .query("SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'pets'")
    .values() as [number, number][];
  const descriptor = openSync(running.file, 'r+');
  writeSync(descriptor, Buffer.alloc(size ?? 0, 255), 0, size, ((page ?? 0) - 1) * (size ?? 0));
  expect((await running.add()).status).toBe(503);
  expect((await running.ready()).status).toBe(503);
  await eventually(() =>
    running
      .log()
      .includes(
        `Cannot write ${running.file}: database disk image is malformed. ` +
          'It is damaged. Restart the service. If this comes back, restore a backup.',
      ),
  );
});

test('a pet that was committed while its file was deleted is not confirmed', async () => {
  using folder = temporaryFolder();
  await using running = await serveIn(folder.path);
  const { file } = running;
  using other = new Database(file);
  other.run('BEGIN IMMEDIATE');
  const waiting = running.add();
  // By then, the writer thread has usually found the file in place, and waits for the lock.
  await Bun.sleep(500);
  renameSync(file, `${file}.moved`);
  other.run('ROLLBACK');
  expect((await waiting).status).toBe(503);
});

test('no change by an operator is confirmed in a deleted file', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  await using store = await openStore(`sqlite:${file}`);
  await using operator = store.forOperator(TEST_ORIGIN);
  const { accounts } = operator;
  const pets = operator.openPets();
  rmSync(file);
  const nowMs = Date.now();
  const changes = [
    () => accounts.createAccount({ name: 'a', plan: 'free', limits: PLANS.free.limits, nowMs }),
    () => pets.addPet({ name: 'Rex', categoryId: 1n, status: 'available' }),
  ];
  for (const change of changes) {
    expect(await rejection(change())).toBeInstanceOf(StoreUnavailableError);
  }
});

test('once the data file is back, the service goes on with it', async () => {
  using folder = temporaryFolder();
  await using running = await serveIn(folder.path);
  await running.add();
  renameSync(running.file, `${running.file}.moved`);
  expect((await running.add()).status).toBe(503);
  renameSync(`${running.file}.moved`, running.file);
  expect((await running.add()).status).toBe(201);
  // The pet of the 503 was committed, too.
  expect(await (await running.list()).json()).toBeArrayOfSize(3);
});
