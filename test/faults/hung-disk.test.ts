import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { CHANGE_HEADER } from '../../src/contract/console-api.ts';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { apiCaller } from '../support/api-caller.ts';
import { eventually, makeKey, type Serving, type Settings, serve } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOKEN = 'the-token-of-this-test';

/** A service, and the statuses of its responses. */
async function start(changes: Settings = {}) {
  const folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}`, ...changes };
  const service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  const { api, operator } = service.started;
  const caller = apiCaller(api, secret);
  return {
    file,
    service,
    addPet: async () => (await caller.add('Rex')).status,
    getPets: () => caller.get('/pets'),
    ready: async () => (await fetch(`${operator}/health/ready`)).status,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Syncs of the service take ten minutes until this is disposed. */
async function hangDisk({ pid }: Serving): Promise<Disposable> {
  const hang = 'inject=fdatasync,fsync:delay_enter=600000000';
  const tracer = Bun.spawn(
    [requireProgram('strace'), '-f', '-o', '/dev/null', '-e', hang, '-p', `${pid}`],
    { stderr: 'pipe' },
  );
  await tracer.stderr.getReader().read();
  return { [Symbol.dispose]: () => tracer.kill('SIGKILL') };
}

test('while another program locks the file, creations are 503, and succeed once it is free', async () => {
  await using running = await start();
  const { file, service, addPet, ready } = running;
  using other = new Database(file);
  other.run('BEGIN IMMEDIATE');
  expect(await Promise.all([1, 2, 3, 4, 5].map(addPet))).toEqual([503, 503, 503, 503, 503]);
  expect(await ready()).toBe(503);
  const reason = `Cannot write ${file}: database is locked. Another program locks it.`;
  await eventually(() => service.stderr().includes(reason));
  other.run('ROLLBACK');
  // Without a creation, which a load balancer would not send.
  expect(await ready()).toBe(200);
  expect(await addPet()).toBe(201);
});

test('a creation waits for a locked file as long as the setting says', async () => {
  using folder = temporaryFolder();
  await using resources = new AsyncDisposableStack();
  const openLocked = async (STORE_TIMEOUT_SECONDS: string) => {
    const file = join(folder.path, `${STORE_TIMEOUT_SECONDS}.db`);
    const settings = { DATABASE_URL: `sqlite:${file}`, STORE_TIMEOUT_SECONDS };
    const { pets } = resources.use(await readConfig({}, settings).database.openStore());
    const other = new Database(file);
    other.run('BEGIN IMMEDIATE');
    return { pets, other };
  };
  const [patient, brief] = [await openLocked('60'), await openLocked('1')];
  const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
  const waiting = patient.pets.createPet(pet);
  expect(await rejection(brief.pets.createPet(pet))).toBeInstanceOf(StoreUnavailableError);
  for (const { other } of [patient, brief]) other.close();
  await waiting;
});

test('while the disk hangs, creations are 503 and the service is not ready', async () => {
  await using running = await start({ STORE_TIMEOUT_SECONDS: '1' });
  const { service, addPet, getPets, ready } = running;
  const countPets = async () => ((await (await getPets()).json()) as object[]).length;
  await eventually(async () => (await addPet()) === 201);
  await eventually(async () => (await ready()) === 200);
  const before = await countPets();

  using hang = await hangDisk(service);
  expect(await addPet()).toBe(503);
  expect(await ready()).toBe(503);
  // The next ones are not even sent to the writer thread, which would add their pets later.
  for (let each = 0; each < 3; each++) expect(await addPet()).toBe(503);

  hang[Symbol.dispose]();
  await eventually(async () => (await ready()) === 200);
  expect(await countPets()).toBe(before + 1);
  await eventually(async () => (await addPet()) === 201);
});

test('while the disk hangs, a change in the console is 503 and holds up no request', async () => {
  await using running = await start({ OPERATOR_TOKEN: TOKEN, STORE_TIMEOUT_SECONDS: '1' });
  const { service, getPets } = running;
  using _hang = await hangDisk(service);
  const change = await fetch(`${service.started.operator}/api/accounts`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Content-Type': 'application/json',
      [CHANGE_HEADER]: '1',
    },
    body: JSON.stringify({ name: 'b', plan: 'free' }),
  });
  expect(change.status).toBe(503);
  expect((await getPets()).status).toBe(200);
});

test('a stop that gives up still sums up repeated faults', async () => {
  await using running = await start({ STORE_TIMEOUT_SECONDS: '1' });
  const { service, addPet } = running;
  using hang = await hangDisk(service);
  for (let each = 0; each < 3; each++) expect(await addPet()).toBe(503);
  service.kill('SIGTERM');
  await eventually(() => service.stderr().includes('Stopped before everything'));
  // A process that is traced ends only with its tracer.
  hang[Symbol.dispose]();
  expect(await service.exited).toBe(1);
  expect(service.stderr()).toContain('"repeats":2');
});
