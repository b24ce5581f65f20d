import { afterAll, expect, test } from 'bun:test';
import { consoleAt } from '../operator/test-console.ts';
import { printed, refusal, runJson, serveHere } from '../support/command.ts';
import { openStore } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

/** Commands find the environment of a store in the store. */
const { settings } = newFile();
const { settings: production } = newFile();
const service = await serveHere({ ...settings, STAGING: 'on' });
const { operator, consoleUrl } = service.started;
const consoleCall = consoleAt(operator, new URL(consoleUrl).hash.replace('#token=', ''));
afterAll(() => service[Symbol.asyncDispose]());

function newKey(account: string, ...options: string[]) {
  return runJson(settings, 'keys create', account, ...options);
}

function send(secret: string, given: Record<string, string> = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${secret}`, ...given };
  return fetch(`${service.started.api}/pets`, { headers });
}

test('keys of staging begin with ask_test_, made by the service, a command or the console', async () => {
  const { demoKey = '' } = service.started;
  const { id, secret } = await newKey('demo');
  const rotate = `keys rotate ${id}`;
  const { successor } = await runJson(settings, rotate);
  const body = { label: 'web', expires: 'never' };
  const made = await consoleCall('/api/accounts/demo/keys', { method: 'POST', body });
  const fromConsole = await made.json();
  for (const each of [demoKey, secret, successor.secret, fromConsole.secret]) {
    expect(each).toMatch(/^ask_test_[0-9A-Za-z]{38}$/);
    expect((await send(each)).status).toBe(200);
  }
});

test('listings use the test time of an account, and a reset brings it back to the real time', async () => {
  await runJson(settings, 'accounts create tester --plan free');
  await newKey('tester', '--expires', '90d');
  const { secret } = await newKey('tester');
  expect((await send(secret, { 'X-Test-Time': '2030-12-05T00:00:00Z' })).status).toBe(200);
  expect((await send(secret)).status).toBe(200);
  const show = () => runJson(settings, 'accounts show tester');
  await eventually(async () => JSON.stringify(await show()).includes('"day":{"used":2'));
  expect(await show()).toMatchObject({ testTime: expect.stringMatching(/^2030-12-05T00:/) });
  expect(await printed(settings, 'accounts list')).toMatch(/^tester .* 2 of 1,000 /m);
  const keys = [{ state: 'expired' }, { state: 'active' }];
  expect(await runJson(settings, 'keys list tester')).toMatchObject(keys);

  expect(await printed(settings, 'staging reset tester')).toBe('Reset account "tester".\n');
  expect(await show()).not.toHaveProperty('testTime');
  expect((await send(secret)).headers.get('x-ratelimit-remaining')).toBe('59');
});

test('staging keys prints variables that a shell can export, and nothing else', async () => {
  expect(await printed(settings, 'staging keys')).toMatch(
    /^(ANIMAL_STORE_API_KEY(_[A-Z]+)*=ask_test_\w{38}\n){6}$/,
  );
});

test('a backup of staging replaces no store of production, and does not become one', async () => {
  const backup = newFile().path;
  await runJson(settings, 'store backup', backup);
  {
    await using store = await openStore(production.DATABASE_URL);
    await store.environment.set('production');
  }
  expect(await refusal(production, 'store restore', backup, '--force')).toBe(
    'The backup is of staging, but the store belongs to production. Nothing was changed.\n',
  );
  const { settings: copy } = newFile();
  await runJson(copy, 'store restore', backup, '--create');
  expect(await refusal(copy, 'serve')).toStartWith('This store belongs to staging.');
});
