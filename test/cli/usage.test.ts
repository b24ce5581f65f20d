import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { makeKey, run, runJson, type Settings, serve } from '../support/command.ts';
import { BACKENDS, startBackends } from '../support/new-settings.ts';

let backends: Awaited<ReturnType<typeof startBackends>>;
beforeAll(async () => {
  backends = await startBackends();
});
afterAll(() => backends[Symbol.asyncDispose]());

interface Usage {
  readonly requests: number;
  readonly [field: string]: string | number;
}

describe.each(BACKENDS)('on %s', (backend) => {
  let settings: Settings;
  let keyId: number;

  /** 9 requests of acme: 4 pages, 2 unknown pets, 1 invalid body and 2 that were refused. One of other. */
  beforeAll(async () => {
    settings = await backends.newSettings(backend);
    const acme = await makeKey(settings, 'acme', 'enterprise', { perMinute: 9, perDay: 7 });
    const other = await makeKey(settings, 'other', 'pro');
    keyId = acme.id;
    await using service = await serve(settings);
    const send = (path: string, secret: string, init: RequestInit = {}) =>
      fetch(`${service.started.api}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      });
    for (let i = 0; i < 4; i++) await send('/pets', acme.secret);
    for (let i = 0; i < 2; i++) await send('/pets/404', acme.secret);
    await send('/pets', acme.secret, { method: 'POST', body: '{}' });
    for (let i = 0; i < 2; i++) await send('/pets', acme.secret);
    await send('/pets', other.secret);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });

  const usage = (...words: string[]) => runJson<Usage[]>(settings, 'accounts', 'usage', ...words);

  test('usage is reported by account, day, hour, operation and key', async () => {
    const counts = { requests: 9, served: 4, refusedByDay: 2, clientErrors: 3, serverErrors: 0 };
    expect(await usage()).toMatchObject([
      { account: 'acme', ...counts },
      { account: 'other', requests: 1 },
    ]);
    const sum = (rows: Usage[]) => rows.reduce((total, { requests }) => total + requests, 0);
    const days = await usage('acme', '--by', 'day');
    expect(days.at(-1)?.['day']).toBe(new Date().toISOString().slice(0, 10));
    expect(sum(days)).toBe(9);
    expect(sum(await usage('acme', '--by', 'hour'))).toBe(9);
    expect(await usage('acme', '--by', 'operation')).toMatchObject([
      { operation: 'listPets', requests: 6, served: 4, refusedByDay: 2 },
      { operation: 'getPet', requests: 2, clientErrors: 2 },
      { operation: 'createPet', requests: 1, clientErrors: 1 },
    ]);
    expect(await usage('acme', '--by', 'key')).toMatchObject([
      { key: keyId, account: 'acme', ...counts },
    ]);
    const { stdout } = await run(settings, 'accounts', 'usage');
    expect(stdout).toMatch(
      /^ACCOUNT +REQUESTS +SERVED +REFUSED +4XX +5XX +PEAK\/MIN\nacme +9 +4 +2 +3 +0 /,
    );
  });

  test('a list of keys shows when each was last used', async () => {
    const unused = await makeKey(settings, 'unused');
    const words = ['keys', 'list'];
    const keys = await runJson<{ id: number; lastUsedAt: string | null }[]>(settings, ...words);
    const lastUsedAt = (id: number) => keys.find((key) => key.id === id)?.lastUsedAt;
    expect(Date.parse(lastUsedAt(keyId) ?? '')).toBeGreaterThan(Date.now() - 600_000);
    expect(lastUsedAt(unused.id)).toBeNull();
  });

  test('a preview says which accounts other limits would have refused', async () => {
    const line = 'plans preview enterprise --per-minute 100 --per-day 5';
    const preview = await runJson<object>(settings, ...line.split(' '));
    const acme = { account: 'acme', requests: 9, refused: 2, refusedInFact: 2 };
    expect(preview).toMatchObject({ requests: 9, refused: 2, affected: [acme] });
    const { stdout, stderr } = await run(settings, 'plans', 'preview', 'pro', '--per-day', '1');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(
      'would have refused at least 0 of 1 request, sent by 0 of 1 account on the Pro plan.',
    );
  });

  test('a change of plan shows its preview, with --dry-run before it is made', async () => {
    const line = 'accounts set-plan acme --plan enterprise --per-day 4 --per-minute 50';
    const words = line.split(' ');
    const perDay = async () =>
      (await runJson<{ perDay: number }>(settings, 'accounts', 'show', 'acme')).perDay;
    const preview = { requests: 9, refused: 3, refusedInFact: 2 };
    expect(await runJson<object>(settings, ...words, '--dry-run')).toMatchObject({ preview });
    expect(await perDay()).toBe(7);
    const { stdout } = await run(settings, ...words);
    expect(stdout).toStartWith('Moved account "acme" to the Enterprise plan (50 requests per');
    expect(stdout).toContain('these limits would have refused at least 3 of 9 requests.');
    expect(await perDay()).toBe(4);
  });

  test.each([
    ['accounts usage --since soon', 'The time must be a duration (30d)'],
    ['accounts usage --since 2999-01-01', 'The time 2999-01-01 is in the future.'],
    ['plans preview free --per-day 0', 'A limit must be an integer from 1 to'],
  ])('%s is an error with one line', async (line, message) => {
    const { stderr, exitCode } = await run(settings, ...line.split(' '));
    expect(stderr).toStartWith(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(exitCode).toBe(1);
  });
});
