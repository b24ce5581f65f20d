import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { CHANGE_HEADER } from '../../src/contract/console-api.ts';
import { eventually, makeKey, type Serving, serve } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function addPet({ started }: Serving, secret: string): Promise<Response> {
  return fetch(`${started.listening}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  });
}

const TOKEN = 'the-token-of-this-test';

function addAccount({ started }: Serving, name: string): Promise<Response> {
  return fetch(`${started.operator}/api/accounts`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Content-Type': 'application/json',
      [CHANGE_HEADER]: '1',
    },
    body: JSON.stringify({ name, plan: 'free' }),
  });
}

async function ready({ started }: Serving): Promise<number> {
  return (await fetch(`${started.operator}/health/ready`)).status;
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
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}` };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  using other = new Database(file);
  other.run('BEGIN IMMEDIATE');
  const refused = await Promise.all(Array.from({ length: 5 }, () => addPet(service, secret)));
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(await ready(service)).toBe(503);
  await eventually(() =>
    service
      .stderr()
      .includes(`Cannot write ${file}: database is locked. Another program locks it.`),
  );
  other.run('ROLLBACK');
  // Without a creation, which a load balancer would not send.
  expect(await ready(service)).toBe(200);
  expect((await addPet(service, secret)).status).toBe(201);
});

test('changes in the console that wait for a locked file hold up no creation', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}`, OPERATOR_TOKEN: TOKEN };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  using other = new Database(file);
  other.run('BEGIN IMMEDIATE');
  const changes = ['b', 'c', 'd', 'e'].map((name) => addAccount(service, name));
  // Longer than a creation waits for a lock.
  await Bun.sleep(3_000);
  const creation = addPet(service, secret);
  await Bun.sleep(200);
  other.run('ROLLBACK');
  expect((await creation).status).toBe(201);
  for (const change of changes) expect((await change).status).toBe(201);
  expect(service.stderr()).not.toContain('does not respond');
});

test('a creation waits for a locked file as long as the setting says', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}`, STORE_TIMEOUT_SECONDS: '60' };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  using other = new Database(file);
  other.run('BEGIN IMMEDIATE');
  const waiting = addPet(service, secret);
  // The default would have given up by then.
  await Bun.sleep(5_500);
  other.run('ROLLBACK');
  expect((await waiting).status).toBe(201);
});

test('while the disk hangs, creations are 503 and the service is not ready', async () => {
  using folder = temporaryFolder();
  const DATABASE_URL = `sqlite:${join(folder.path, 'store.db')}`;
  const settings = { DATABASE_URL, STORE_TIMEOUT_SECONDS: '1' };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  await eventually(async () => (await addPet(service, secret)).status === 201);
  await eventually(async () => (await ready(service)) === 200);

  using hang = await hangDisk(service);
  expect((await addPet(service, secret)).status).toBe(503);
  expect(await ready(service)).toBe(503);
  // The next ones are not even sent to the writer thread, which would add their pets later.
  for (let each = 0; each < 3; each++) expect((await addPet(service, secret)).status).toBe(503);

  hang[Symbol.dispose]();
  await eventually(async () => (await ready(service)) === 200);
  const headers = { Authorization: `Bearer ${secret}` };
  const pets = await (await fetch(`${service.started.listening}/v1/pets`, { headers })).json();
  expect(pets).toBeArrayOfSize(2);
  expect((await addPet(service, secret)).status).toBe(201);
});

test('while the disk hangs, a change in the console is 503 and holds up no request', async () => {
  using folder = temporaryFolder();
  const DATABASE_URL = `sqlite:${join(folder.path, 'store.db')}`;
  const settings = { DATABASE_URL, OPERATOR_TOKEN: TOKEN, STORE_TIMEOUT_SECONDS: '1' };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  using _hang = await hangDisk(service);
  expect((await addAccount(service, 'b')).status).toBe(503);
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await fetch(`${service.started.listening}/v1/pets`, { headers })).status).toBe(200);
});

test('a stop that gives up still sums up repeated faults', async () => {
  using folder = temporaryFolder();
  const DATABASE_URL = `sqlite:${join(folder.path, 'store.db')}`;
  const settings = { DATABASE_URL, STORE_TIMEOUT_SECONDS: '1' };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'a');
  using hang = await hangDisk(service);
  for (let each = 0; each < 3; each++) expect((await addPet(service, secret)).status).toBe(503);
  service.kill('SIGTERM');
  await eventually(() => service.stderr().includes('Stopped before everything'));
  // A process that is traced ends only with its tracer.
  hang[Symbol.dispose]();
  expect(await service.exited).toBe(1);
  expect(service.stderr()).toContain('"repeats":2');
});
