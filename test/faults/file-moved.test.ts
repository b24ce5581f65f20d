import { expect, test } from 'bun:test';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { eventually, makeKey, serve } from '../support/command.ts';
import { openStore } from '../support/open-store.ts';
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
    service,
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
    await eventually(async () => (await running.list()).status === 503);
    expect((await running.ready()).status).toBe(503);
    await eventually(() => running.log().includes(`${path} was deleted, moved or replaced`));
  });
}

test('a thousand requests without the data file are two lines in the log', async () => {
  using folder = temporaryFolder();
  await using running = await serveIn(folder.path);
  renameSync(running.file, `${running.file}.moved`);
  for (let round = 0; round < 20; round++) {
    const requests = Array.from({ length: 25 }, () => [running.add(), running.list()]).flat();
    for (const response of await Promise.all(requests)) await response.text();
  }
  running.service.kill('SIGTERM');
  await running.service.exited;
  const lines = running
    .log()
    .split('\n')
    .filter((line) => line.includes('was deleted, moved or replaced'))
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ msg: 'fault', status: 503 }, { msg: 'fault repeated' }]);
  // Reads see the loss at most five milliseconds later.
  expect(lines[1].repeats).toBeGreaterThan(900);
});

test('the writer thread does not confirm a pet in a deleted file', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  await using store = await openStore(`sqlite:${file}`);
  const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
  await store.pets.createPet(pet);
  rmSync(file);
  expect(await rejection(store.pets.createPet(pet))).toBeInstanceOf(StoreUnavailableError);
});

test('once the data file is back, the service goes on with it', async () => {
  using folder = temporaryFolder();
  await using running = await serveIn(folder.path);
  await running.add();
  renameSync(running.file, `${running.file}.moved`);
  expect((await running.add()).status).toBe(503);
  renameSync(`${running.file}.moved`, running.file);
  expect((await running.add()).status).toBe(201);
  expect(await (await running.list()).json()).toBeArrayOfSize(2);
});
