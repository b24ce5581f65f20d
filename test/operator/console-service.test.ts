import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { AlreadyExistsError, OperatorError, StoreUnavailableError } from '#domain/error.ts';
import { printed, run, runJson, serveWithKey } from '../support/command.ts';
import { eventually } from '../support/time.ts';
import { consoleAt, startConsole } from './test-console.ts';

const OPERATOR_ALLOWED_HOSTS = 'console.example, Other.example';
const REDIS_URL = 'redis://127.0.0.1:1';
const service = await serveWithKey({ OPERATOR_ALLOWED_HOSTS, REDIS_URL });
const { settings, file } = service;
afterAll(() => service[Symbol.asyncDispose]());

describe('the console of a running service', () => {
  const token = new URL(service.started.consoleUrl).hash.replace('#token=', '');
  const call = consoleAt(service.started.operator, token);

  test('is opened by the link that the start prints, and knows no bans while Redis is away', async () => {
    expect(service.started.consoleUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/);
    const page = await fetch(service.started.consoleUrl);
    expect(page.headers.get('content-type')).toStartWith('text/html');
    expect(await (await call('/api/session')).json()).toMatchObject({
      store: file,
      errors: { pet_not_found: 404 },
    });
    const { rows } = await (await call('/api/accounts')).json();
    expect(rows[0]).toMatchObject({ name: 'demo', bannedKeys: null });
    expect(await (await call('/api/live')).json()).toBeArray();
    expect((await call('/', { headers: { Host: 'other.example' } })).status).toBe(200);
  });

  test('waits for a locked file, while callers are served', async () => {
    await using other = new Database(file);
    // A change is given up after five seconds, in which a busy machine may not serve the reads.
    await eventually(async () => {
      other.run('BEGIN IMMEDIATE');
      const body = { plan: 'pro' };
      const changed = call('/api/accounts/demo/plan', { method: 'POST', body });
      // The change takes a moment to reach the lock.
      await Bun.sleep(300);
      for (let i = 0; i < 10; i++) {
        expect((await service.get('/pets')).status).toBeLessThan(500);
      }
      const wereServedMeanwhile = Bun.peek.status(changed) === 'pending';
      other.run('ROLLBACK');
      return (await changed).status === 204 && wereServedMeanwhile;
    });
  });

  test('audits the sign-ins and changes of an operator, and revoking ends the session', async () => {
    const { token } = await runJson(settings, 'operators create alice');
    const send = consoleAt(service.started.operator);
    const signIn = await send('/api/session', { method: 'POST', body: { token } });
    const headers = { Cookie: signIn.headers.get('set-cookie') ?? '' };
    await send('/api/accounts/demo/plan', { method: 'POST', headers, body: { plan: 'business' } });
    const { rows } = await (await send('/api/audit?operator=alice', { headers })).json();
    const actions = rows.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['account.set-plan', 'operator.sign-in']);
    expect(JSON.stringify(rows)).not.toContain(token);
    const list = () => printed(settings, 'operators list');
    expect(await list()).toMatch(/alice +editor +2\S+Z\n/);
    await run(settings, 'operators revoke alice');
    expect((await send('/api/session', { headers })).status).toBe(401);
    expect(await list()).not.toContain('alice');
  });

  test('logs sign-ins and failed ones, and no part of a token in the log or the metrics', async () => {
    const { operator } = service.started;
    const wrong = 'a-token-that-somebody-guesses';
    const signIn = (given: string) =>
      consoleAt(operator)('/api/session', { method: 'POST', body: { token: given } });
    expect((await signIn(token)).status).toBe(204);
    await consoleAt(operator, `${token}x`)(`/api/session?token=${token}`);
    // Failed sign-ins do not fill the log, however many there are.
    while ((await signIn(wrong)).status !== 429);
    const lines = () => service.stderr().match(/.*"msg":"operator .*/g) ?? [];
    await eventually(() => lines().length >= 3);
    const err = 'wrong tokens from 127.0.0.1';
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { operator: 'alice', msg: 'operator signed in' },
      { level: 'warn', operator: 'start', address: '127.0.0.1', msg: 'operator signed in' },
      { level: 'error', err, msg: 'operator sign-in failed' },
    ]);
    expect(await service.metric('operator_sign_in_failures_total')).toBeGreaterThan(10);
    const shown = service.stderr() + (await (await fetch(`${operator}/metrics`)).text());
    for (const each of [token, wrong]) {
      for (const part of [each.slice(0, 8), each.slice(8, 16), each.slice(-8)]) {
        expect(shown).not.toContain(part);
      }
    }
  });
});

test.each([
  ['our fault is 500', new Error('detail'), 500, 'This is a bug in Animal Store. See the log.'],
  [
    'a store that is away is 503',
    new StoreUnavailableError(new Error('detail')),
    503,
    'The store cannot be used right now. See the log.',
  ],
  ['a store that is locked is 503', new Error('SQLITE detail'), 503, 'Locked.'],
  ['a name that is taken is 409', new AlreadyExistsError('It exists.'), 409, 'It exists.'],
  ['a mistake is 400', new OperatorError('Choose another name.'), 400, 'Choose another name.'],
])('%s and one sentence, and only the log has the details', async (_, failure, status, error) => {
  await using operator = startConsole({
    routes: { 'GET /api/failure': () => Promise.reject(failure) },
    explain: (each) => (String(each).includes('SQLITE') ? 'Locked.' : undefined),
  });
  const response = await operator.call('/api/failure');
  expect([response.status, await response.json()]).toEqual([status, { error }]);
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  expect(operator.faults).toHaveLength(status < 500 ? 0 : 1);
});
