import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { CHANGE_HEADER } from '../../src/contract/console-api.ts';
import { eventually, run, runJson, type Serving, serve } from '../support/command.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface KeyJson {
  readonly id: number;
  readonly label: string;
  readonly state: string;
  readonly secret: string;
}

const REMOVAL_DAY = '2030-12-05T00:00:00Z';

const folder = temporaryFolder();
const file = join(folder.path, 'staging.db');
const settings = { DATABASE_URL: `sqlite:${file}`, STAGING: 'on' };
/** Commands find the side of a store in the store. */
const forCommands = { DATABASE_URL: settings.DATABASE_URL };
let service: Serving;

beforeAll(async () => {
  service = await serve(settings);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

let accounts = 0;
async function newAccount(): Promise<string> {
  const name = `tester-${++accounts}`;
  await runJson(forCommands, 'accounts', 'create', name, '--plan', 'free');
  return name;
}

function newKey(account: string, ...options: string[]): Promise<KeyJson> {
  return runJson<KeyJson>(forCommands, 'keys', 'create', account, ...options);
}

function send(secret: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${secret}`, ...init.headers };
  return fetch(`${service.started.api}${path}`, { ...init, headers });
}

function at(time: string): RequestInit {
  return { headers: { 'X-Test-Time': time } };
}

async function addPet(secret: string, headers: Record<string, string> = {}): Promise<string> {
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
  const type = { 'Content-Type': 'application/json' };
  const response = await send(secret, '/pets', {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
  });
  expect(response.status).toBe(201);
  return `/pets/${((await response.json()) as { id: number }).id}`;
}

function consoleCall(path: string, body?: object): Promise<Response> {
  const { operator, consoleUrl } = service.started;
  return fetch(`${operator}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      'Content-Type': 'application/json',
      [CHANGE_HEADER]: '1',
      Authorization: `Bearer ${new URL(consoleUrl).hash.replace('#token=', '')}`,
    },
  });
}

async function commandError(given: Record<string, string>, ...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(given, ...words);
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  return stderr.trimEnd();
}

test('keys of staging begin with ask_test_, made by the service, a command or the console', async () => {
  const { demoKey = '' } = service.started;
  const name = await newAccount();
  const key = await newKey(name);
  const rotated = await runJson<{ successor: KeyJson }>(
    forCommands,
    ...['keys', 'rotate', String(key.id)],
  );
  const made = await consoleCall(`/api/accounts/${name}/keys`, { label: 'web', expires: null });
  const { secret } = (await made.json()) as { secret: string };
  for (const each of [demoKey, key.secret, rotated.successor.secret, secret]) {
    expect(each).toMatch(/^ask_test_[0-9A-Za-z]{38}$/);
    expect((await send(each, '/pets')).status).toBe(200);
  }
});

test('listings use the test time of an account, and a reset brings it back to the real time', async () => {
  const name = await newAccount();
  const expiring = await newKey(name, '--expires', '90d');
  const { secret } = await newKey(name);
  expect((await send(secret, '/pets', at(REMOVAL_DAY))).status).toBe(200);
  const path = await addPet(secret, { 'Idempotency-Key': 'once' });
  const show = () => runJson<object>(forCommands, 'accounts', 'show', name);
  await eventually(async () => JSON.stringify(await show()).includes('"day":{"used":2'));
  expect(await show()).toMatchObject({ testTime: expect.stringMatching(/^2030-12-05T00:/) });
  const stateOf = async ({ id }: KeyJson) => {
    const listed = await runJson<KeyJson[]>(forCommands, 'keys', 'list', name);
    return listed.find((key) => key.id === id)?.state;
  };
  expect(await stateOf(expiring)).toBe('expired');
  expect(await (await consoleCall(`/api/accounts/${name}`)).json()).toMatchObject({
    account: { usage: { day: { used: 2 } } },
    keys: [{ id: expiring.id, state: 'expired' }, { state: 'active' }],
  });

  const { stdout, exitCode } = await run(forCommands, 'staging', 'reset', name);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`Reset account "${name}".\n`);
  expect(await show()).not.toHaveProperty('testTime');
  expect(await show()).toMatchObject({ usage: { day: { used: 0 } } });
  expect(await stateOf(expiring)).toBe('active');
  const after = await send(secret, path);
  expect(after.status).toBe(200);
  expect(after.headers.get('x-ratelimit-remaining')).toBe('59');
  expect(await addPet(secret, { 'Idempotency-Key': 'once' })).not.toBe(path);
  const [entry] = await runJson<object[]>(forCommands, 'audit', '--account', name);
  expect(entry).toMatchObject({ action: 'account.reset', command: 'staging reset' });
});

test('staging keys prints variables that a shell can export, and nothing else', async () => {
  const { stdout, exitCode } = await run(forCommands, 'staging', 'keys');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^(ANIMAL_STORE_API_KEY(_[A-Z]+)*=ask_test_\w{38}\n){5}$/);
});

test('staging reset says which account does not exist', async () => {
  const message = await commandError(forCommands, 'staging', 'reset', 'dmeo');
  expect(message).toBe('Account "dmeo" does not exist. "accounts list" shows all accounts.');
});

describe('in production', () => {
  const production = { DATABASE_URL: `sqlite:${join(folder.path, 'production.db')}` };
  let other: Serving;

  beforeAll(async () => {
    other = await serve(production);
  });
  afterAll(() => other[Symbol.asyncDispose]());

  test('resets are refused with one line', async () => {
    const why =
      'works only on staging, but this store does not belong to staging. ' +
      'Name one that a service with STAGING=on has created, with --database or DATABASE_URL.';
    expect(await commandError(production, 'staging', 'reset', 'demo')).toBe(
      `"staging reset" ${why}`,
    );
    expect(await commandError(production, 'staging', 'keys')).toBe(`"staging keys" ${why}`);
  });

  test('each environment explains why it refuses a key of the other', async () => {
    const [testKey = '', key = ''] = [service.started.demoKey, other.started.demoKey];
    const there = await fetch(`${other.started.api}/pets`, {
      headers: { Authorization: `Bearer ${testKey}` },
    });
    const here = await send(key, '/pets');
    expect([there.status, here.status]).toEqual([401, 401]);
    expect(await there.json()).toMatchObject({
      code: 'invalid_api_key',
      message:
        'This is a key of staging, and works only there. Use a key of production here: "ask_" and 38 letters and digits.',
    });
    expect(await here.json()).toMatchObject({
      code: 'invalid_api_key',
      message:
        'This is a key of production, and works only there. Use a key of staging here: "ask_test_" and 38 letters and digits.',
    });
  });

  test('a backup of staging does not replace the store', async () => {
    const backup = join(folder.path, 'staging.backup');
    await runJson(forCommands, 'store', 'backup', backup);
    other.kill('SIGTERM');
    await other.exited;
    expect(await commandError(production, 'store', 'restore', backup, '--force')).toBe(
      'The backup is of staging, but the store belongs to production. Nothing was changed.',
    );
    const copy = { DATABASE_URL: `sqlite:${join(folder.path, 'copy.db')}` };
    await runJson(copy, 'store', 'restore', backup, '--create');
    expect(await commandError(copy, 'serve')).toBe(
      'This store belongs to staging. Set STAGING=on, or use another DATABASE_URL.',
    );
  });
});

test('a second service of the other environment does not start on the same PostgreSQL', async () => {
  await using postgres = await postgresForSuites();
  const shared = { DATABASE_URL: await postgres.newDatabase(), PORT: '0', OPERATOR_PORT: '0' };
  await using _first = await serve(shared);
  expect(await commandError({ ...shared, STAGING: 'on' }, 'serve')).toBe(
    'STAGING is on, but this store belongs to production. Use another DATABASE_URL.',
  );
});
