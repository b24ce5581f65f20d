import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { commandLine, eventually, run, runJson, type Serving, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface KeyJson {
  readonly id: number;
  readonly state: string;
  readonly label: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly secret: string;
}

const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
let service: Serving;

beforeAll(async () => {
  service = await serve(settings);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

let accounts = 0;
async function newAccount(...plan: string[]): Promise<string> {
  const name = `customer-${++accounts}`;
  await runJson(settings, 'accounts', 'create', name, '--plan', ...(plan.length ? plan : ['free']));
  return name;
}

function newKey(account: string, ...options: string[]): Promise<KeyJson> {
  return runJson<KeyJson>(settings, 'keys', 'create', account, ...options);
}

async function send(
  secret: string,
): Promise<{ status: number; code: string | undefined; headers: Headers }> {
  const headers = { Authorization: `Bearer ${secret}` };
  const response = await fetch(`${service.started.api}/pets?limit=1`, { headers });
  const body = (await response.json()) as { code?: string };
  return { status: response.status, code: body.code, headers: response.headers };
}

async function commandError(...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(settings, ...words);
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).not.toContain('    at ');
  return stderr.trimEnd();
}

describe('accounts', () => {
  test('create prints the new account and the next step', async () => {
    const words = ['accounts', 'create', 'Acme Inc.', '--plan', 'pro'];
    const { stdout, exitCode } = await run(settings, ...words);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'Created account "Acme Inc." on the Pro plan (300 requests per minute, 10,000 per day).\n' +
        'Next, create a key with "keys create".\n',
    );
  });

  test('create on Enterprise needs both limits', async () => {
    const custom = ['enterprise', '--per-minute', '5', '--per-day', '50'];
    const name = await newAccount(...custom);
    const listed = await runJson<object[]>(settings, 'accounts', 'list');
    expect(listed).toContainEqual(expect.objectContaining({ name, perMinute: 5, perDay: 50 }));
    expect(await commandError('accounts', 'create', 'x', '--plan', 'enterprise')).toBe(
      'The Enterprise plan needs custom limits. Set both --per-minute and --per-day.',
    );
  });

  test('list prints a table', async () => {
    const name = await newAccount('business');
    const { stdout } = await run(settings, 'accounts', 'list');
    const [headings, ...rows] = stdout.split('\n');
    expect(headings).toMatch(/^NAME +PLAN +STATE +THIS MINUTE +TODAY \(UTC\) +CREATED$/);
    expect(rows.find((row) => row.startsWith(name))).toMatch(
      / Business +active +0 of 1,000 +0 of 100,000 +20\d\d-/,
    );
  });

  test('set-plan applies to the next request of the running service', async () => {
    const name = await newAccount();
    const { secret } = await newKey(name);
    expect((await send(secret)).headers.get('x-ratelimit-limit')).toBe('60');
    await runJson(settings, 'accounts', 'set-plan', name, '--plan', 'pro');
    expect((await send(secret)).headers.get('x-ratelimit-limit')).toBe('300');
  });

  test('show and list say how much of each limit is used', async () => {
    const name = await newAccount('enterprise', '--per-minute', '1000', '--per-day', '5000');
    const { secret } = await newKey(name);
    for (let i = 0; i < 3; i++) await send(secret);
    const usage = () => runJson<object>(settings, 'accounts', 'show', name);
    await eventually(async () => JSON.stringify(await usage()).includes('"day":{"used":3'));
    expect(await usage()).toMatchObject({ name, usage: { day: { used: 3, limit: 5_000 } } });
    const { stdout } = await run(settings, 'accounts', 'list');
    expect(stdout).toContain('3 of 5,000');
  });

  test.each([
    [['accounts', 'create', 'demo', '--plan', 'free'], 'Account "demo" already exists.'],
    [['accounts', 'create', 'demo ', '--plan', 'free'], 'Account "demo" already exists.'],
    [['accounts', 'create', '.x', '--plan', 'free'], 'An account name must be 1 to 64 letters'],
    [['accounts', 'create', 'x', '--plan', 'gold'], 'The plan must be one of free, pro, business'],
    [['accounts', 'create', 'x', '--plan', 'pro', '--per-day', '5'], 'Only Enterprise accepts'],
    [['accounts', 'create', 'x', '--plan', 'pro', '--per-day', 'x'], "option '--per-day <n>'"],
    [['accounts', 'create', 'x'], '--plan <free|pro|business|enterprise>'],
    [['accounts', 'rename', 'demo', '.x'], 'An account name must be 1 to 64 letters'],
    [
      ['accounts', 'suspend', 'demo', '--reason', 'x'.repeat(201)],
      'A label or a reason must be at most 200',
    ],
    [['accounts', 'set-plan', 'nobody', '--plan', 'pro'], 'Account "nobody" does not exist'],
    [['accounts', 'usage', 'nobody'], 'Account "nobody" does not exist'],
    [['accounts', 'usage', 'no\u202ebody'], 'Account "no\\u202ebody" does not exist'],
    [['accounts', 'destroy'], "unknown command 'destroy'"],
  ])('%p fails with a reason', async (words, message) => {
    expect(await commandError(...words)).toContain(message);
  });
});

describe('keys', () => {
  test('create shows the secret once, and the key works at once', async () => {
    const name = await newAccount();
    const { stdout } = await run(settings, 'keys', 'create', name, '--label', 'build server');
    const [secret = ''] = /ask_\w+/.exec(stdout) ?? [];
    expect(stdout).toContain('cannot be shown again');
    expect((await send(secret)).status).toBe(200);
    const listing = (await run(settings, 'keys', 'list', name)).stdout;
    expect(listing).toContain('build server');
    expect(listing).not.toContain('ask_');
  });

  test('a key is refused after its expiry, and listed as expired', async () => {
    const name = await newAccount();
    const { expiresAt, createdAt } = await newKey(name, '--expires', '90d');
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(90 * 86_400_000);
    expect((await newKey(name, '--expires', '2099-01-01')).expiresAt).toBe('2099-01-01T23:59:59Z');
    const { secret, id } = await newKey(name, '--expires', '1s');
    await eventually(async () => (await send(secret)).code === 'expired_api_key');
    const listed = await runJson<KeyJson[]>(settings, 'keys', 'list', name);
    expect(listed.find((key) => key.id === id)?.state).toBe('expired');
  });

  test('rotate creates a successor, and both keys work during the overlap', async () => {
    const name = await newAccount();
    const old = await newKey(name, '--label', 'phone');
    const { successor } = await runJson<{ successor: KeyJson }>(
      settings,
      'keys',
      'rotate',
      String(old.id),
    );
    expect(successor.label).toBe('phone');
    expect((await send(old.secret)).status).toBe(200);
    expect((await send(successor.secret)).status).toBe(200);
    const { stdout } = await run(
      settings,
      'keys',
      'rotate',
      String(successor.id),
      '--overlap',
      '0s',
    );
    expect(stdout).toContain(`to replace key ${successor.id}`);
    expect((await send(successor.secret)).code).toBe('expired_api_key');
  });

  test('revoke applies to the next request of the running service', async () => {
    const name = await newAccount();
    const { id, secret } = await newKey(name);
    expect((await send(secret)).status).toBe(200);
    expect((await run(settings, 'keys', 'revoke', String(id))).stdout).toContain(
      `Revoked key ${id}`,
    );
    expect((await send(secret)).code).toBe('revoked_api_key');
  });

  test.each([
    [
      ['keys', 'create', 'nobody'],
      'Account "nobody" does not exist. "accounts list" shows all accounts.',
    ],
    [
      ['keys', 'create', 'demo', '--expires', 'soon'],
      'The time must be a duration (30d), a date (2027-01-31, which includes that day, UTC) or a time',
    ],
    [['keys', 'create', 'demo', '--expires', '2020-01-01'], 'is not in the future'],
    [['keys', 'create', 'demo', '--expires', '2027-13-45'], 'The time must be'],
    [['keys', 'create', 'demo', '--expires', '2099-02-31'], 'The time must be'],
    [
      ['keys', 'create', 'demo', '--label', 'x'.repeat(201)],
      'A label or a reason must be at most 200 characters',
    ],
    [['keys', 'rotate', '99999'], 'Key 99999 does not exist. "keys list" shows all keys.'],
    [['keys', 'rotate', 'abc'], 'A key is given by its number, not by "abc".'],
    [['keys', 'revoke', '99999999999'], 'A key is given by its number'],
    [['keys', 'update', '1'], 'Set --label, --expires or both.'],
    [['keys', 'update', '1', '--expires', '2020-01-01'], 'is not in the future'],
    [['keys', 'rotate', '1', '--overlap', 'x'], 'A duration is a number and a unit (s, m, h or d)'],
    [['keys', 'revoke', '99999'], 'Key 99999 does not exist'],
    [['keys', 'unban', '99999'], 'Key 99999 does not exist'],
    [['keys', 'list', 'nobody'], 'Account "nobody" does not exist'],
  ])('%p fails with a reason', async (words, message) => {
    expect(await commandError(...words)).toContain(message);
  });
});

test('a listing is complete even if its reader is slow', async () => {
  const database = openDatabase(join(folder.path, 'store.db'));
  const insert = database.query(
    "INSERT INTO accounts (name, plan, created_at) VALUES (?, 'free', 0)",
  );
  database.transaction(() => {
    for (let i = 0; i < 5_000; i++) insert.run(`many-${i}`);
  })();
  database.close();
  const list = commandLine('accounts', 'list', '--json').join(' ');
  const script = `${list} | { sleep 0.5; cat; }`;
  const env = { PATH: Bun.env['PATH'] ?? '', ...settings };
  const { stdout } = Bun.spawnSync(['sh', '-c', script], { env });
  expect(stdout.length).toBeGreaterThan(300_000);
  expect(JSON.parse(stdout.toString()).length).toBeGreaterThan(5_000);
});

test('a locked data file is reported in one line, without a stack trace', async () => {
  const database = openDatabase(join(folder.path, 'store.db'));
  database.run('BEGIN IMMEDIATE');
  const message = await commandError('accounts', 'create', 'waiting', '--plan', 'free');
  database.run('ROLLBACK');
  database.close();
  expect(message).toBe(
    `The data file cannot be used: database is locked. Store: ${join(folder.path, 'store.db')}`,
  );
});

describe('help', () => {
  test.each([
    [['--help']],
    [['serve', '--help']],
    [['accounts', '--help']],
    [['keys', 'rotate', '--help']],
  ])('%p prints the help', async (words) => {
    const { exitCode, stdout } = await run(settings, ...words);
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith('Usage: animal-store');
  });

  test('--version prints the version of the package', async () => {
    const { version } = await Bun.file('package.json').json();
    expect((await run(settings, '--version')).stdout.trim()).toBe(version);
  });

  test('without a command, the help is printed and the exit code is 1', async () => {
    const { exitCode, stderr } = await run(settings);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Usage: animal-store');
  });
});
