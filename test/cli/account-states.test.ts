import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  eventually,
  makeKey,
  onTerminal,
  run,
  runJson,
  type Serving,
  type Settings,
  serve,
} from '../support/command.ts';
import { BACKENDS, startBackends } from '../support/new-settings.ts';
import { TestRedis } from '../support/redis.ts';

interface KeyJson {
  readonly id: number;
  readonly account: string;
  readonly label: string;
  readonly state: string | null;
  readonly expiresAt: string | null;
  readonly bannedUntil: string | null;
  readonly note?: string;
}

const resources = new AsyncDisposableStack();
let backends: Awaited<ReturnType<typeof startBackends>>;
beforeAll(async () => {
  backends = resources.use(await startBackends());
});
afterAll(() => resources.disposeAsync());

/** The error code of a request, or its status if it has none. */
async function codeOf(service: Serving, secret: string): Promise<string> {
  const headers = { Authorization: `Bearer ${secret}` };
  const response = await fetch(`${service.started.api}/pets?limit=1`, { headers });
  const { code } = (await response.json()) as { code?: string };
  return code ?? String(response.status);
}

/** Creates an account and sends until its key is banned. */
async function makeBannedKey(settings: Settings, service: Serving, accountName: string) {
  const limits = { perMinute: 1_000, perDay: 1 };
  const key = await makeKey(settings, accountName, 'enterprise', limits);
  await eventually(async () => {
    const sent = Array.from({ length: 100 }, () => codeOf(service, key.secret));
    return (await Promise.all(sent)).includes('api_key_banned');
  });
  return key;
}

describe.each(BACKENDS)('on %s', (backend) => {
  let settings: Settings;
  let service: Serving;
  beforeAll(async () => {
    settings = await backends.newSettings(backend);
    service = await serve(settings);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const send = (secret: string) => codeOf(service, secret);

  const becomes = (secret: string, expected: string) =>
    eventually(async () => (await send(secret)) === expected);

  async function output(...words: string[]): Promise<string> {
    const { stdout, stderr, exitCode } = await run(settings, ...words);
    // Commands that change something name the store.
    expect(stderr).toMatch(/^(Store: .*\n)?$/);
    expect(exitCode).toBe(0);
    return stdout.trimEnd();
  }

  const failure = async (...words: string[]) => (await run(settings, ...words)).stderr.trimEnd();

  async function listed(id: number): Promise<KeyJson | undefined> {
    const keys = await runJson<KeyJson[]>(settings, 'keys', 'list');
    return keys.find((key) => key.id === id);
  }

  test('the running service refuses the keys of a suspended account until it is resumed', async () => {
    const { id, secret } = await makeKey(settings, 'late payer');
    expect(await send(secret)).toBe('200');
    const suspended = await output('accounts', 'suspend', 'late payer', '--reason', 'unpaid');
    expect(suspended).toStartWith('Account "late payer" is suspended since 20');
    await becomes(secret, 'account_suspended');
    expect((await listed(id))?.state).toBe('suspended');
    expect(await output('accounts', 'suspend', 'late payer')).toBe(suspended);
    const spare = await runJson<KeyJson>(settings, 'keys', 'create', 'late payer');
    await runJson(settings, 'keys', 'revoke', String(spare.id));

    const shown = await output('accounts', 'show', 'late payer');
    expect(shown).toMatch(/^State: +suspended since 20/m);
    expect(shown).toMatch(/^Reason: +unpaid$/m);
    const accounts = await runJson<object[]>(settings, 'accounts', 'list');
    const row = { name: 'late payer', state: 'suspended', suspensionReason: 'unpaid' };
    expect(accounts).toContainEqual(expect.objectContaining(row));

    expect(await output('accounts', 'resume', 'late payer')).toBe(
      'Account "late payer" is active. Its keys work.',
    );
    await becomes(secret, '200');
  });

  test('a renamed account keeps its keys and counts', async () => {
    const { id, secret } = await makeKey(settings, 'maiden');
    for (let i = 0; i < 3; i++) expect(await send(secret)).toBe('200');
    expect(await output('accounts', 'rename', 'maiden', 'married')).toBe(
      'Renamed account "maiden" to "married".',
    );
    expect(await send(secret)).toBe('200');
    expect((await listed(id))?.account).toBe('married');
    const show = () => runJson<object>(settings, 'accounts', 'show', 'married');
    await eventually(async () => JSON.stringify(await show()).includes('"day":{"used":4'));
    expect(await failure('accounts', 'rename', 'married', 'married')).toBe(
      'Account "married" already exists.',
    );
  });

  test('an update changes the label and the expiry of a key, and prints the exact time', async () => {
    const { id, secret } = await makeKey(settings, 'updating');
    const key = String(id);
    expect(await output('keys', 'update', key, '--expires', '2099-01-31', '--label', 'tv')).toBe(
      `Changed key ${id} of account "updating": label "tv", valid until 2099-01-31T23:59:59Z.`,
    );
    expect(await output('keys', 'update', key, '--expires', '2099-01-31T12:00Z')).toContain(
      'label "tv", valid until 2099-01-31T12:00:00Z.',
    );
    expect(await output('keys', 'update', key, '--expires', 'never')).toContain(
      'label "tv", without an expiry.',
    );
    await runJson(settings, 'keys', 'update', key, '--expires', '1s');
    await becomes(secret, 'expired_api_key');
    expect(
      await runJson<object>(settings, 'keys', 'update', key, '--expires', '90d'),
    ).toMatchObject({ label: 'tv', state: 'active' });
    await becomes(secret, '200');
    await runJson(settings, 'keys', 'revoke', key);
    expect(await failure('keys', 'update', key, '--expires', 'never')).toBe(
      `Key ${id} is revoked. Create a new key instead.`,
    );
  });

  test('a list shows a ban, a rename keeps it, and unban lifts it', async () => {
    const { id, secret } = await makeBannedKey(settings, service, 'noisy');
    await runJson(settings, 'accounts', 'rename', 'noisy', 'quiet');
    await eventually(async () => (await listed(id))?.state === 'banned');
    const until = (await listed(id))?.bannedUntil;
    expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now());
    expect(await output('keys', 'list', 'quiet')).toContain(`banned until ${until}`);
    expect(await output('keys', 'unban', String(id))).toBe(
      `Cleared the strikes and any ban of key ${id} of account "quiet".`,
    );
    expect(await listed(id)).toMatchObject({ state: 'active', bannedUntil: null });
    await becomes(secret, 'rate_limit_day');
  });

  test('a wrong account or key is an error with a way to the right one', async () => {
    const { secret } = await makeKey(settings, 'Kingfisher');
    for (const words of [
      ['accounts', 'show'],
      ['accounts', 'suspend'],
      ['accounts', 'resume'],
      ['accounts', 'usage'],
      ['keys', 'create'],
      ['keys', 'list'],
    ]) {
      expect(await failure(...words, 'nobody')).toBe(
        'Account "nobody" does not exist. "accounts list" shows all accounts.',
      );
    }
    expect(await failure('keys', 'revoke', 'Kingfisher')).toBe(
      'A key is given by its number, not by "Kingfisher". "keys list" shows all keys.',
    );
    expect(await failure('keys', 'revoke', secret)).toBe(
      'A key is given by its number, not by "ask_[redacted]". "keys list" shows all keys.',
    );
  });

  test('lists fit on a terminal with 80 columns', async () => {
    const name = 'a name of an account that is as long as the rules for names allow';
    const { id } = await makeKey(settings, name.slice(0, 64));
    await runJson(settings, 'keys', 'update', String(id), '--label', 'x'.repeat(100));
    for (const words of [
      ['accounts', 'list'],
      ['keys', 'list'],
    ]) {
      const lines = await onTerminal(settings, ...words);
      expect(lines.length).toBeGreaterThan(1);
      const tooWide = lines.filter((line) => Bun.stringWidth(line) > 80);
      expect(tooWide).toEqual([]);
      expect(await output(...words)).toContain(name.slice(0, 64));
    }
  });
});

describe('without the counts of the limiter', () => {
  let away: Settings;
  let id: number;

  beforeAll(async () => {
    const ownRedis = resources.use(await TestRedis.start());
    away = { DATABASE_URL: await backends.postgres.newDatabase(), REDIS_URL: ownRedis.url };
    ({ id } = await makeKey(away, 'acme'));
    await ownRedis.stop();
  });

  test('keys list shows everything except bans', async () => {
    const { stdout, stderr, exitCode } = await run(away, 'keys', 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/ acme +active\? +never /);
    expect(stderr).toMatch(/^Counts and bans are not known\. Cannot use Redis at 127/);
    expect(await runJson<KeyJson[]>(away, 'keys', 'list')).toMatchObject([
      {
        id,
        state: null,
        bannedUntil: null,
        note: expect.stringContaining('Counts and bans are not known'),
      },
    ]);
  });

  test('accounts list and show leave out usage', async () => {
    const { stdout, stderr, exitCode } = await run(away, 'accounts', 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^acme +Enterprise +active +\? of 1,000,000 +\? of 1,000,000 /m);
    expect(stderr).toStartWith('Counts and bans are not known. Cannot use Redis at 127');
    expect((await run(away, 'accounts', 'show', 'acme')).stdout).toContain('? of 1,000,000');
    expect(await runJson<object>(away, 'accounts', 'show', 'acme')).toMatchObject({
      usage: null,
      note: expect.stringContaining('Counts and bans are not known'),
    });
  });

  test('unban lifts a ban that Redis still has when it returns', async () => {
    await using frozen = await TestRedis.start();
    const settings = { DATABASE_URL: await backends.postgres.newDatabase(), REDIS_URL: frozen.url };
    await using service = await serve(settings);
    const { id, secret } = await makeBannedKey(settings, service, 'noisy');
    frozen.signal('SIGSTOP');
    await runJson(settings, 'keys', 'unban', String(id));
    frozen.signal('SIGCONT');
    const bans = await runJson<KeyJson[]>(settings, 'keys', 'list');
    expect(bans).toMatchObject([{ state: 'active', bannedUntil: null }]);
    await eventually(async () => (await codeOf(service, secret)) === 'rate_limit_day');
  });

  test('a revoked key is listed as revoked, without a warning', async () => {
    const { REDIS_URL: _, ...withoutRedis } = away;
    const other = { ...withoutRedis, DATABASE_URL: await backends.postgres.newDatabase() };
    const { id } = await makeKey(other, 'acme');
    await runJson(other, 'keys', 'revoke', String(id));
    expect(await run(other, 'keys', 'list')).toMatchObject({
      stdout: expect.stringContaining('revoked'),
      stderr: '',
    });
    expect((await run(other, 'accounts', 'list')).stderr).toBe(
      'Counts and bans are not known. Without REDIS_URL each instance counts in its own memory, which no command can read.\n',
    );
  });
});
