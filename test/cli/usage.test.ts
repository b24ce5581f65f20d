import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeKey, run, runJson, type Settings, serve } from '../support/command.ts';
import { BACKENDS, startBackends } from '../support/new-settings.ts';
import { createStore } from '../support/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
    const counts = {
      requests: 9,
      served: 4,
      refusedByMinute: 0,
      refusedByDay: 2,
      refusedByBan: 0,
      clientErrors: 3,
      serverErrors: 0,
    };
    const all = await usage();
    expect(all).toMatchObject([
      { account: 'acme', ...counts },
      { account: 'other', requests: 1 },
    ]);
    const today = new Date().toISOString().slice(0, 10);
    const days = await usage('acme', '--by', 'day');
    expect(days.at(-1)?.['day']).toBe(today);
    expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(9);
    const hours = await usage('acme', '--by', 'hour');
    expect(hours.reduce((sum, { requests }) => sum + requests, 0)).toBe(9);
    expect(await usage('acme', '--by', 'operation')).toMatchObject([
      { operation: 'listPets', requests: 6, served: 4, refusedByDay: 2 },
      { operation: 'getPet', requests: 2, clientErrors: 2 },
      { operation: 'createPet', requests: 1, clientErrors: 1 },
    ]);
    expect(await usage('acme', '--by', 'key')).toMatchObject([
      { key: keyId, account: 'acme', ...counts },
    ]);
  });

  test('usage is a table', async () => {
    const { stdout } = await run(settings, 'accounts', 'usage');
    const [headings, first] = stdout.split('\n').map((line) => line.split(/ +/));
    expect(headings).toEqual([
      'ACCOUNT',
      'REQUESTS',
      'SERVED',
      'REFUSED',
      '4XX',
      '5XX',
      'PEAK/MIN',
    ]);
    expect(first?.slice(0, 6)).toEqual(['acme', '9', '4', '2', '3', '0']);
  });

  test('a time without requests has no rows', async () => {
    const quiet = ['accounts', 'usage', 'demo-of-nobody'];
    await runJson(settings, 'accounts', 'create', 'demo-of-nobody', '--plan', 'free');
    expect(await runJson<Usage[]>(settings, ...quiet)).toEqual([]);
  });

  test('a list of keys shows when each was last used', async () => {
    const unused = await makeKey(settings, 'unused');
    const keys = await runJson<{ id: number; lastUsedAt: string | null }[]>(
      settings,
      'keys',
      'list',
    );
    const lastUsedAt = (id: number) => keys.find((key) => key.id === id)?.lastUsedAt;
    expect(Date.parse(lastUsedAt(keyId) ?? '')).toBeGreaterThan(Date.now() - 600_000);
    expect(lastUsedAt(unused.id)).toBeNull();
  });

  test('a preview says which accounts other limits would have refused', async () => {
    const preview = await runJson<object>(
      ...([
        settings,
        'plans',
        'preview',
        'enterprise',
        '--per-minute',
        '100',
        '--per-day',
        '5',
      ] as const),
    );
    expect(preview).toMatchObject({
      plan: 'enterprise',
      perMinute: 100,
      perDay: 5,
      requests: 9,
      refused: 2,
      accounts: 2,
      affected: [
        {
          account: 'acme',
          requests: 9,
          refused: 2,
          refusedInFact: 2,
          worst: { window: 'day', requests: 7, refused: 2 },
        },
      ],
    });
    const { stderr } = await run(settings, 'plans', 'preview', 'pro', '--per-day', '1');
    expect(stderr).toContain(
      'would have refused at least 0 of 1 request, sent by 0 of 1 account on the Pro plan.',
    );
  });

  test('a change of plan shows its preview, with --dry-run before it is made', async () => {
    const words = ['accounts', 'set-plan', 'acme', '--plan', 'enterprise', '--per-day', '4'];
    const limits = [...words, '--per-minute', '50'];
    const preview = { requests: 9, refused: 3, refusedInFact: 2 };
    expect(await runJson<object>(settings, ...limits, '--dry-run')).toMatchObject({ preview });
    expect(await runJson<object>(settings, 'accounts', 'show', 'acme')).toMatchObject({
      perDay: 7,
    });
    const { stdout } = await run(settings, ...limits);
    expect(stdout).toStartWith('Moved account "acme" to the Enterprise plan (50 requests per');
    expect(stdout).toContain('these limits would have refused at least 3 of 9 requests.');
    expect(await runJson<object>(settings, 'accounts', 'show', 'acme')).toMatchObject({
      perDay: 4,
    });
  });
});

test('wrong options are errors with one line', async () => {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
  await createStore(settings.DATABASE_URL);
  const failures = [
    [['accounts', 'usage', '--since', 'soon'], 'The time must be a duration (30d)'],
    [['accounts', 'usage', '--since', '2999-01-01'], 'The time 2999-01-01 is in the future.'],
    [['plans', 'preview', 'free', '--per-day', '0'], 'A limit must be an integer from 1 to'],
  ] as const;
  for (const [words, message] of failures) {
    const { stderr, exitCode } = await run(settings, ...words);
    expect(stderr).toStartWith(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(exitCode).toBe(1);
  }
});
