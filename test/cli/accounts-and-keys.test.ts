import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Run } from '#cli/cli.ts';
import { withCounts } from '#cli/limiter-counts.ts';
import {
  makeKey,
  refusal,
  run,
  runJson,
  runWith,
  type ServingHere,
  serveHere,
} from '../support/command.ts';
import { apiCaller } from '../support/http.ts';
import { newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { BACKENDS, backend, newSettings, type Settings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

/** The error code of a request, or its status if it has none. */
async function codeOf(service: ServingHere, secret: string) {
  const response = await apiCaller(service.started.api, secret).get('/pets?limit=1');
  const { code } = await response.json();
  return code ?? String(response.status);
}

async function output(settings: Settings, ...words: string[]) {
  const { stdout, stderr, exitCode } = await run(settings, ...words);
  // Commands that change something name the store.
  expect(stderr).toMatch(/^(Store: .*\n)?$/);
  expect(exitCode).toBe(0);
  return stdout.trimEnd();
}

async function hasCounts(settings: Settings, subject: string) {
  await using store = await backend(settings['DATABASE_URL'] ?? '').openForCommand();
  const run = { cli: { config: settings }, store } as unknown as Run;
  const { known } = await withCounts(run, [subject], (each, counts) => counts.getCounts(each));
  return known?.[0] !== undefined;
}

async function listed(settings: Settings, id: number) {
  const keys = await runJson(settings, 'keys list');
  return keys.find((key: { id: number }) => key.id === id);
}

describe.each(BACKENDS)('with a service on %s,', (name) => {
  let settings: Settings;
  let service: ServingHere;
  beforeAll(async () => {
    settings = await newSettings(name);
    service = await serveHere(settings);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const becomes = (secret: string, expected: string) =>
    eventually(async () => (await codeOf(service, secret)) === expected);

  test('the key of a new account works at once, and a removed one has neither keys nor counts', async () => {
    const create = 'accounts create gone --plan free --key';
    const { id, key } = await runJson(settings, create);
    expect(await codeOf(service, key.secret)).toBe('200');
    await eventually(() => hasCounts(settings, `account:${id}`));
    expect(await output(settings, 'accounts remove gone --yes')).toStartWith(
      'Removed account "gone" with 1 key and its usage.',
    );
    expect(await hasCounts(settings, `account:${id}`)).toBe(false);
    await becomes(key.secret, 'invalid_api_key');
  });

  test('a corrected pet changes for callers too, although it is cached', async () => {
    const { secret } = await makeKey(settings, 'reader');
    const { add, get } = apiCaller(service.started.api, secret);
    const { id } = await (await add()).json();
    const status = async () => (await (await get(`/pets/${id}`)).json()).status;
    expect(await status()).toBe('available');
    await runJson(settings, `pets set-status ${id} sold --yes`);
    await eventually(async () => (await status()) === 'sold');
  });

  test('a list shows a ban, and unban lifts it', async () => {
    const limits = { perMinute: 1_000, perDay: 1 };
    const { id, secret } = await makeKey(settings, 'noisy', 'enterprise', limits);
    await apiCaller(service.started.api, secret).untilBanned();
    await eventually(async () => (await listed(settings, id)).state === 'banned');
    const until = (await listed(settings, id)).bannedUntil;
    expect(Date.parse(until)).toBeGreaterThan(Date.now());
    const banned = () => output(settings, 'keys list --filter banned');
    await eventually(async () => (await banned()).includes(`banned until ${until}`));
    expect(await output(settings, 'accounts show noisy')).toMatch(
      /^STATE: +active, 1 key banned$/m,
    );
    const bannedAccounts = () => runJson(settings, 'accounts list --state banned');
    expect(await bannedAccounts()).toEqual([
      expect.objectContaining({ name: 'noisy', bannedKeys: 1, usage: expect.anything() }),
    ]);
    const away = await run({ ...settings, REDIS_URL: 'redis://127.0.0.1:9' }, 'accounts list');
    expect(away.stdout).toMatch(/^noisy +Enterprise +active\? +\? of 1,000 /m);
    expect(await output(settings, `keys unban ${id}`)).toBe(
      `Cleared the strikes and any ban of key ${id} of account "noisy".`,
    );
    expect(await listed(settings, id)).toMatchObject({ state: 'active', bannedUntil: null });
    expect(await bannedAccounts()).toEqual([]);
    await becomes(secret, 'rate_limit_day');
  });
});

const KEY = `ask_${'x'.repeat(38)}`;

describe('a command', () => {
  const { settings } = newFile();
  beforeAll(async () => {
    await makeKey(settings, 'demo');
    await runJson(settings, 'pets seed --count 1');
  });

  test('that creates an account prints its limits, and its secret or the next step', async () => {
    expect(await output(settings, 'accounts create tester --plan free --key')).toMatch(
      /^Created account .*\nCreated key \d+ for account "tester", .*\n\n {2}ask_\w+\n[\s\S]*cannot be shown again/,
    );
    expect(await output(settings, 'accounts create', 'Acme Inc.', '--plan', 'pro')).toStartWith(
      'Created account "Acme Inc." on the Pro plan (300 requests per minute, 10,000 per day).\nNext, ',
    );
    const limits = ['--per-minute', '5', '--per-day', '50'];
    await runJson(settings, 'accounts create Big --plan enterprise', ...limits);
    const rows = (filter: string) => output(settings, `accounts list ${filter}`);
    expect(await rows('--search bi')).toMatch(
      /^NAME .*\nBig +Enterprise +active +0 of 5 +0 of 50 +20\d\d-[^\n]+$/,
    );
    expect(await rows('--plan pro --state active')).toMatch(/^NAME .*\nAcme Inc\. +Pro [^\n]+$/);
    expect(await rows('--state suspended')).not.toMatch(/Acme|Big/);
  });

  test('that suspends an account shows since when and why, until it is resumed', async () => {
    const { id } = await makeKey(settings, 'late payer');
    const suspend = ['late payer', '--reason', 'unpaid', '--yes'];
    expect(await output(settings, 'accounts suspend', ...suspend)).toStartWith(
      'Account "late payer" has been suspended since 20',
    );
    expect((await listed(settings, id)).state).toBe('suspended');
    const shown = await output(settings, 'accounts show', 'late payer');
    expect(shown).toMatch(/^STATE: +suspended since 20/m);
    expect(shown).toMatch(/^REASON: +unpaid$/m);
    expect(await output(settings, 'accounts resume', 'late payer')).toBe(
      'Account "late payer" is active. Its keys work.',
    );
  });

  test('that lists keys or finds one shows the end of the secret only', async () => {
    const { id, secret } = await makeKey(settings, 'builder');
    await runJson(settings, `keys update ${id} --label`, 'build server');
    const listing = await output(settings, 'keys list builder');
    // This also holds in a terminal.
    expect(listing.split('\n')[1]?.slice(0, 80)).toContain('build server');
    const row = new RegExp(`^\\d+ +${secret.slice(-4)} +builder +active `, 'm');
    const input = () => new Blob([secret]).stream();
    const piped = await runWith({ input }, settings, 'keys find');
    const pasted = await runWith({ ask: async () => secret }, settings, 'keys find');
    for (const text of [listing, piped.stdout, pasted.stdout]) {
      expect(text).toMatch(row);
      expect(text).not.toContain('ask_');
    }
  });

  test('that revokes a key again says when it was revoked', async () => {
    const { id } = await makeKey(settings, 'leaking');
    const revoke = () => output(settings, `keys revoke ${id} --yes`);
    expect(await revoke()).toStartWith(`Revoked key ${id} of account "leaking", which ends in`);
    expect(await revoke()).toStartWith(`Key ${id} was already revoked, at`);
  });

  test.each([
    'accounts suspend demo',
    'accounts remove demo',
    'keys revoke 1',
    'pets remove 1',
    'pets set-status 1 pending',
  ])('"%s" changes nothing before the operator agrees', async (line) => {
    for (const answer of ['', 'yo']) {
      const { stderr } = await runWith({ ask: async () => answer }, settings, line);
      expect(stderr).toBe('Nothing was changed.\n');
    }
    expect(await refusal(settings, line)).toBe(
      'Nothing was changed. To confirm without a terminal, add --yes.\n',
    );
  });

  test('that updates a key changes its label and expiry, and prints the exact time', async () => {
    const { id } = await makeKey(settings, 'updating');
    const update = (...words: string[]) => output(settings, `keys update ${id}`, ...words);
    expect(await update('--expires', '2099-01-31', '--label', 'tv')).toBe(
      `Changed key ${id} of account "updating": label "tv", valid until 2099-01-31T23:59:59Z.`,
    );
    expect(await update('--expires', 'never')).toContain('label "tv", without an expiry.');
  });

  test('that creates or rotates a read-only key says so, and so do lists and the audit', async () => {
    const created = await output(settings, 'keys create demo --read-only');
    const [, id = ''] = /^Created read-only key (\d+) for/.exec(created) ?? [];
    expect(await output(settings, 'keys rotate', id)).toContain('Created read-only key');
    expect(await output(settings, 'keys list')).toMatch(/ demo +active +read-only +never /);
    expect(await listed(settings, Number(id))).toMatchObject({ scope: 'read' });
    for (const line of ['keys list', 'keys list demo']) {
      const [first, ...others] = await runJson(settings, `${line} --filter read-only`);
      expect([first.id, others.length]).toEqual([Number(id), 1]);
    }
    expect(await output(settings, 'audit')).toMatch(/key\.create .*scope: read/);
  });

  test('that rotates a key shows the new end before it asks, and --overlap and --expires set others', async () => {
    const create = 'keys create demo --expires 2099-01-31';
    const { id } = await runJson(settings, create);
    const rotate = `keys rotate ${id}`;
    const questions: string[] = [];
    // The answer is not "y".
    const ask = async (question: string) => String(questions.push(question));
    await runWith({ ask }, settings, rotate);
    const rotated = await output(settings, `${rotate} --overlap 0s --expires 2098-12-31`);
    expect(rotated).toContain(`to replace key ${id}, valid until 2098-12-31T`);
    expect((await listed(settings, id)).state).toBe('expired');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const asked = new RegExp(`which then works until ${tomorrow}T.*, with one valid until 2099-`);
    expect(questions).toEqual([expect.stringMatching(asked)]);
  });

  test.each([
    ['accounts create x --plan pro --per-day 5', 'Only Enterprise accepts'],
    [`keys find ${KEY}`, 'The key is read from standard input.'],
    ['accounts create x --plan enterprise --per-day 6', 'Set both --per-minute and --per-day.'],
    ['accounts create x --plan enterprise --per-minute 1e3', 'Expected a whole number.'],
    [`accounts suspend demo --reason ${'x'.repeat(201)}`, 'A label or a reason must be at most'],
    ['accounts usage no\u202ebody', 'Account "no\\u202ebody" does not exist'],
    ['keys rotate 1 --overlap x', 'A duration is a number and a unit (s, m, h or d)'],
    ['keys revoke demo', 'A key is given by its number. "keys list" shows all keys.\n'],
    [`accounts show ${KEY}`, 'Account "ask_[redacted]" does not exist.'],
    [`accounts ${KEY}`, "unknown command 'ask_[redacted]'"],
    [`accounts create ${KEY} --plan free`, 'or look like a key.'],
    ['keys list --filter old', 'Allowed choices are banned, expiring, unused, read-only, revoked.'],
    ['keys update 1', 'Set --label, --expires or both.'],
    ['accounts usage --since 2999-01-01', 'The time 2999-01-01 is in the future.'],
    ['plans preview free --per-day 0', 'A limit must be an integer from 1 to'],
    ['staging keys', '"staging keys" works only on staging'],
    ['pets remove 7', 'Pet 7 does not exist.'],
    ['pets remove x', 'The id of a pet is a whole number, not "x".'],
    ['pets set-status 7 lost', 'Allowed choices are available, pending, sold.'],
  ])('"%s" fails with a reason', async (line, message) => {
    const { exitCode, stdout, stderr } = await run(settings, line);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/ {4}at |xxxx/);
  });
});

test('without the counts of the limiter, lists show everything except usage and bans', async () => {
  const away = { ...newFile().settings, REDIS_URL: 'redis://127.0.0.1:9' };
  const { id } = await makeKey(away, 'acme');
  const keys = await run(away, 'keys list');
  expect(keys.stdout).toMatch(/ acme +active\? +all +never /);
  expect(keys.stderr).toMatch(/^Counts and bans are not known\. Cannot use Redis at 127/);
  const note = expect.stringContaining('Counts and bans are not known');
  const [key] = await runJson(away, 'keys list');
  expect(key).toMatchObject({ id, state: null, bannedUntil: null, note });
  const accounts = await run(away, 'accounts list');
  expect(accounts.stdout).toMatch(/^acme +Enterprise +active +\? of 1,000,000 +\? of 1,/m);
  const account = await runJson(away, 'accounts show acme');
  expect(account).toMatchObject({ usage: null, note });
});

test.skipIf(lacks('postgres'))('on PostgreSQL, counts are known only with Redis', async () => {
  const settings = { DATABASE_URL: await newPostgresDatabase() };
  await makeKey(settings, 'acme');
  expect((await run(settings, 'accounts list')).stderr).toStartWith(
    'Counts and bans are not known. Without REDIS_URL',
  );
});
