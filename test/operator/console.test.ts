import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mintSecret } from '../../src/domain/key-secret.ts';
import { noRequests } from '../../src/domain/operator/history.ts';
import { INT64_RULE } from '../../src/formats/int64.ts';
import { consoleRoutes } from '../../src/operator/console-api/routes.ts';
import { FailedRequests } from '../../src/operator/failed-requests.ts';
import { Live } from '../../src/operator/live.ts';
import { Metrics } from '../../src/operator/metrics.ts';
import { operatorToken } from '../../src/operator/sign-in.ts';
import { platform } from '../../src/platform.ts';
import type { ServiceParts } from '../../src/service/service-parts.ts';
import { BACKENDS, newSettings, openParts } from '../support/store.ts';
import { Clock, eventually, failLoudly } from '../support/time.ts';
import { anHour, newPets } from '../support/values.ts';
import { type ConsoleCallOptions, startConsole, type TestConsole, TOKEN } from './test-console.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const NO_REQUESTS = noRequests();
const ADA = { name: 'Ada', categoryId: 1n, status: 'sold' } as const;

interface Account {
  readonly id: number;
  readonly name: string;
}

const pathOf = ({ name }: Pick<Account, 'name'>) => `/api/accounts/${encodeURIComponent(name)}`;

/** Every route of the console, on a real store and a real limiter. */
describe.each(BACKENDS)('the console on %s', (backend) => {
  const clock = new Clock('2026-11-15T12:00:00Z');
  const failed = new FailedRequests();
  let parts: ServiceParts;
  let operator: TestConsole;

  beforeAll(async () => {
    parts = await openParts(await newSettings(backend), clock);
    const token = operatorToken(TOKEN);
    const metrics = new Metrics();
    const live = new Live(metrics, clock.now);
    operator = startConsole(
      {
        token,
        routes: consoleRoutes(live, failed, {
          store: parts.store.forOperator({ command: 'console', operator: token.fingerprint }),
          counts: parts.limiter,
          brownouts: [],
          now: clock.now,
          newSecret: () => mintSecret(platform.randomBytes),
          onDeletionFailed: failLoudly,
        }),
      },
      clock,
      metrics,
    );
  });
  afterAll(async () => {
    await operator[Symbol.asyncDispose]();
    await parts[Symbol.asyncDispose]();
  });

  // biome-ignore lint/suspicious/noExplicitAny: the tests check the whole body.
  async function send(status: number, path: string, options?: ConsoleCallOptions): Promise<any> {
    const response = await operator.call(path, options);
    const body = await response.text();
    expect([response.status, body]).toEqual([status, expect.any(String)]);
    return body === '' ? undefined : JSON.parse(body);
  }
  const get = (path: string) => send(200, path);
  const post = (path: string, body?: unknown, status = 204) =>
    send(status, path, { method: 'POST', body });
  const error = (message: string) => ({ error: message });

  let names = 0;
  /** An account that only one test uses. */
  const newAccount = (body: object = {}): Promise<Account> =>
    post('/api/accounts', { name: `shop-${++names}.`, plan: 'free', ...body }, 200);
  const newKey = (account: Account, body: object = {}) =>
    post(`${pathOf(account)}/keys`, { label: 'web', expires: 'never', ...body }, 200);
  const keysOf = async (account: Account) => (await get(pathOf(account))).keys;

  const namesOf = async (query: string) => {
    const { rows } = await get(`/api/accounts?${query}`);
    return rows.map((account: Account) => account.name);
  };

  const addHistory = (hours: Parameters<typeof anHour>[0][]) =>
    parts.store.history.add(hours.map(anHour));
  /** The start of a day, so many days ago. */
  const dayAgo = (days: number) => clock.now() - (clock.now() % DAY_MS) - days * DAY_MS;

  /** Callers notice a change after half a second. */
  const found = (secret: string) => {
    clock.advance(0.5);
    return parts.keys.findKey(secret);
  };

  /** Counts a request, as a caller would. */
  async function take(secret: string): Promise<void> {
    const known = await found(secret);
    if (known === undefined) throw new Error('The key does not exist');
    await parts.limiter.take(known, clock.now());
  }

  test('creates an account with a plan', async () => {
    const account = await newAccount();
    expect(account).toMatchObject({ plan: 'free', perMinute: 60, state: 'active' });
    const usage = { minute: { used: 0, limit: 60 }, day: { used: 0, limit: 1_000 } };
    expect(await get(pathOf(account))).toEqual({
      account: { ...account, usage },
      days: Array(30).fill(NO_REQUESTS),
      keys: [],
    });
  });

  test('refuses an account with a name that is taken, or a plan that does not exist', async () => {
    const { name } = await newAccount();
    const taken = error(`Account "${name}" already exists.`);
    expect(await post('/api/accounts', { name, plan: 'pro' }, 409)).toEqual(taken);
    expect(await post('/api/accounts', { name: 'new', plan: 'gold' }, 400)).toEqual(
      error('The plan must be one of free, pro, business, enterprise, not "gold".'),
    );
  });

  test('shows what an account has used of both windows', async () => {
    const account = await newAccount();
    const { secret } = await newKey(account);
    await take(secret);
    expect((await get(pathOf(account))).account.usage).toEqual({
      minute: { used: 1, limit: 60 },
      day: { used: 1, limit: 1_000 },
    });
  });

  test('shows the requests of an account in the last 30 days, and the last use of a key', async () => {
    const account = await newAccount();
    const { id: keyId } = await newKey(account);
    const use = { accountId: account.id, keyId };
    await addHistory([
      { ...use, startsAtMs: dayAgo(0), refusedByDay: 5, serverErrors: 1 },
      { ...use, startsAtMs: dayAgo(29), served: 2 },
      { ...use, startsAtMs: dayAgo(30) + 23 * HOUR_MS, served: 9 },
      { ...use, startsAtMs: dayAgo(-1), served: 9 },
    ]);
    const { days, keys } = await get(pathOf(account));
    expect(days).toEqual([
      { ...NO_REQUESTS, served: 2 },
      ...Array(28).fill(NO_REQUESTS),
      { ...NO_REQUESTS, refusedByDay: 5, serverErrors: 1 },
    ]);
    expect(keys[0].lastUsedAt).toStartWith('2026-11-16T00:');
  });

  test('shows the requests of all accounts on each day, at most a minute old', async () => {
    const { id: accountId } = await newAccount();
    const threeDaysAgo = async () => (await get('/api/history')).days.at(-4);
    await threeDaysAgo();
    const counts = { served: 70, refusedByBan: 1, serverErrors: 2 };
    await addHistory([{ accountId, startsAtMs: dayAgo(3), ...counts }]);
    clock.advance(60);
    expect(await threeDaysAgo()).toEqual({ ...NO_REQUESTS, ...counts });
  });

  test('sorts accounts, the busiest of 30 days first, and those that are equal by age', async () => {
    const a = await newAccount({ name: 'Busy-a' });
    clock.advance(1);
    const b = await newAccount({ name: 'busy-b' });
    const c = await newAccount({ name: 'busy-c', plan: 'pro' });
    await addHistory([
      { accountId: b.id, startsAtMs: dayAgo(1), served: 70, refusedByMinute: 5 },
      { accountId: c.id, startsAtMs: dayAgo(1), served: 20, clientErrors: 3 },
    ]);
    clock.advance(60);
    const sorted = (sort: string) => namesOf(`search=busy-&sort=${sort}`);
    expect(await sorted('')).toEqual([b.name, c.name, a.name]);
    expect(await sorted('name')).toEqual([a.name, b.name, c.name]);
    expect(await sorted('-plan')).toEqual([c.name, a.name, b.name]);
    expect(await sorted('-refused')).toEqual([b.name, a.name, c.name]);
    expect(await sorted('-created')).toEqual([b.name, c.name, a.name]);
    expect(await namesOf('search=busy-&plan=pro')).toEqual([c.name]);
    await send(400, '/api/accounts?sort=-toString');
  });

  test('shows accounts in pages of 50', async () => {
    const created: string[] = [];
    while (created.length < 51) {
      created.push((await newAccount({ name: `row-${created.length}` })).name);
    }
    const first = await get('/api/accounts?search=row-');
    expect([first.total, first.next]).toEqual([51, 50]);
    expect(await namesOf('search=row-&sort=plan')).toEqual(created.slice(0, 50));
    const { next, rows } = await get('/api/accounts?search=row-&cursor=50');
    expect([next, rows.length, rows[0].name]).toEqual([null, 1, 'row-50']);
  });

  test('suspends an account with a reason, and resumes it', async () => {
    const account = await newAccount();
    const { secret } = await newKey(account);
    const stateOf = (state: string) => namesOf(`state=${state}&search=${account.name}`);
    await post(`${pathOf(account)}/suspend`, { reason: 'invoice 7' });
    expect((await found(secret))?.accountSuspendedAtMs).toBeNumber();
    const suspended = { state: 'suspended', suspensionReason: 'invoice 7' };
    expect((await get(pathOf(account))).account).toMatchObject(suspended);
    expect(await stateOf('suspended')).toEqual([account.name]);
    await post(`${pathOf(account)}/resume`);
    expect(await stateOf('active')).toEqual([account.name]);
  });

  test('renames an account to any name that it may have, and finds it by that', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    await post(`${pathOf(account)}/rename`, { newName: other.name }, 409);
    const name = "Zoë 犬 @ a.b_c-d & O'Neil (e/f//g), +1";
    const newName = name.replace(' ', '  ');
    expect(await post(`${pathOf(account)}/rename`, { newName }, 200)).toMatchObject({ name });
    expect(await namesOf('search=ZO%C3%8B')).toEqual([name]);
    expect((await get(pathOf({ name }))).account).toMatchObject({ id: account.id });
  });

  test('removes an account with its keys and its history', async () => {
    const account = await newAccount();
    const { secret } = await newKey(account);
    await addHistory([{ accountId: account.id, startsAtMs: 1 }]);
    await post(`${pathOf(account)}/remove`);
    await post(`${pathOf(account)}/remove`, undefined, 404);
    expect(await found(secret)).toBeUndefined();
    await eventually(async () => (await parts.store.history.oldest('days')) > 1);
  });

  test('makes a key, whose secret it shows once', async () => {
    const account = await newAccount();
    const made = await newKey(account, { label: 'ci', expires: '90d', scope: 'read' });
    const expiresAt = expect.stringMatching(/^2027-02-13T12/);
    const keys = await keysOf(account);
    expect(keys).toMatchObject([
      { id: made.id, lastFour: made.secret.slice(-4), label: 'ci', scope: 'read', expiresAt },
    ]);
    const mistaken = await send(404, `/api/accounts/${made.secret}`);
    const shown = JSON.stringify([keys, await get('/api/audit'), mistaken]);
    expect(shown).not.toContain(made.secret);
  });

  test.each([{ expires: 'tomorrow' }, { scope: 'write' }])('makes no key with %j', async (body) => {
    const account = await newAccount();
    await post(`${pathOf(account)}/keys`, { label: '', expires: 'never', ...body }, 400);
  });

  test('finds the account of a key by its secret', async () => {
    const account = await newAccount();
    const { id, secret } = await newKey(account);
    expect(await post('/api/keys/find', { secret }, 200)).toEqual({ id, account: account.name });
    const unknown = { secret: mintSecret(platform.randomBytes) };
    expect(await post('/api/keys/find', unknown, 404)).toEqual(
      error('This store does not have this key.'),
    );
  });

  test('rotates a key once, to one that is valid as long', async () => {
    const account = await newAccount();
    const { id } = await newKey(account, { expires: '90d' });
    const [{ renewedUntil: expires }] = await keysOf(account);
    const rotate = (status: number) =>
      post(`/api/keys/${id}/rotate`, { overlap: '24h', expires }, status);
    const rotated = await rotate(200);
    expect((await found(rotated.secret))?.expiresAtMs).toBe(Date.parse(expires));
    const successor = { id, scope: 'all', successorId: rotated.id };
    expect(await keysOf(account)).toContainEqual(expect.objectContaining(successor));
    await rotate(400);
  });

  test('changes the label and the expiry of a key separately', async () => {
    const account = await newAccount();
    const { id } = await newKey(account, { expires: '90d' });
    const updated = async (body: object) => {
      await post(`/api/keys/${id}/update`, body);
      const [{ label, expiresAt }] = await keysOf(account);
      return [label, expiresAt?.slice(0, 10)];
    };
    expect(await updated({ label: 'till' })).toEqual(['till', expect.any(String)]);
    expect(await updated({ expires: 'never' })).toEqual(['till', undefined]);
    expect(await updated({ label: '' })).toEqual(['', undefined]);
  });

  test('revokes a key for good', async () => {
    const { id, secret } = await newKey(await newAccount());
    await post(`/api/keys/${id}/revoke`);
    expect((await found(secret))?.revokedAtMs).toBeNumber();
    await post(`/api/keys/${id}/update`, { expires: 'never' }, 400);
    expect(await post('/api/keys/99999999999/revoke', undefined, 404)).toEqual(
      error('Key 99999999999 does not exist.'),
    );
  });

  test('shows a ban with its end, and lifts it', async () => {
    const limits = { plan: 'enterprise', perMinute: '1', perDay: '1' };
    const account = await newAccount(limits);
    const { id, secret } = await newKey(account);
    for (let i = 0; i < 240; i++) await take(secret);
    const [banned] = await keysOf(account);
    expect(banned.state).toBe('banned');
    expect(Date.parse(banned.bannedUntil)).toBeGreaterThan(clock.now());
    const listed = await get(`/api/accounts?search=${account.name}`);
    expect(listed.rows[0].bannedKeys).toBe(1);
    await post(`/api/keys/${id}/unban`);
    expect(await keysOf(account)).toMatchObject([{ state: 'active', bannedUntil: null }]);
  });

  test('shows the ten accounts refused most in this hour and the last, half a minute old', async () => {
    const accounts = [];
    while (accounts.length < 12) accounts.push(await newAccount());
    const hourMs = clock.now() - (clock.now() % HOUR_MS);
    await get('/api/history');
    await addHistory(
      accounts.flatMap(({ id: accountId }, index) =>
        [0, 1, 2].map((age) => {
          const startsAtMs = hourMs - age * HOUR_MS;
          // The first was never refused.
          return { accountId, startsAtMs, served: 1, refusedByMinute: 100 * index };
        }),
      ),
    );
    clock.advance(30);
    const { refused } = await get('/api/history');
    const most = { account: accounts[11]?.name, served: 2, refusedByMinute: 2_200 };
    expect(refused[0]).toEqual({ ...NO_REQUESTS, ...most });
    expect(refused).toHaveLength(10);
  });

  test('adds a pet with every digit, and lists pets in pages of 50, the newest first', async () => {
    const rex = { name: '7', categoryId: '9223372036854775807', status: 'sold' };
    const first = await post('/api/pets', rex, 200);
    expect(first).toEqual({ id: expect.stringMatching(/^\d+$/), ...rex });
    for (let count = 0; count < 50; count++) await parts.pets.createPet(ADA);
    const { rows, next } = await get('/api/pets?status=sold');
    expect([rows.length, rows[49].id]).toEqual([50, next]);
    const second = await get(`/api/pets?status=sold&cursor=${next}`);
    const origin = { addedAt: expect.any(String), key: null, account: null };
    expect(second).toEqual({ rows: [{ ...first, ...origin }], next: null });
  });

  test('filters pets by who added them and when, and refuses a filter that means nothing', async () => {
    await post('/api/pets', { name: 'Rex', categoryId: '1' }, 200);
    for (const filter of ['until=1h', 'key=1', 'since=1h&key=99']) {
      expect(await get(`/api/pets?${filter}`)).toEqual({ rows: [], next: null });
    }
    for (const filter of ['key=x', 'status=lost', 'since=then', 'cursor=x']) {
      await send(400, `/api/pets?${filter}`);
    }
    await send(404, '/api/pets?account=gone');
    expect(await send(400, '/api/pets?id=rex')).toEqual(error(`The id of a pet ${INT64_RULE}.`));
    await post('/api/pets', { name: 'Rex', categoryId: 1 }, 400);
  });

  test('adds and shows every field of a pet', async () => {
    const texts = (pet: object) =>
      JSON.parse(JSON.stringify(pet, (name, value) => (name === '' ? value : value?.toString())));
    for (const pet of newPets(9)) {
      const shown = await post('/api/pets', texts(pet), 200);
      const id = BigInt(shown.id);
      expect(texts(shown)).toEqual(texts({ id, ...pet }));
      expect(await parts.pets.getPet(id)).toEqual({ id, ...pet });
    }
  });

  test('corrects the status of a pet, at once for callers', async () => {
    const { id } = await post('/api/pets', { name: 'Tom', categoryId: '3' }, 200);
    expect((await parts.pets.getPet(BigInt(id)))?.status).toBe('available');
    await post(`/api/pets/${id}/status`, { status: 'pending' });
    expect((await get(`/api/pets?id=${id}`)).rows).toMatchObject([{ id, status: 'pending' }]);
    clock.advance(0.5);
    expect((await parts.pets.getPet(BigInt(id)))?.status).toBe('pending');
    expect(await post(`/api/pets/${id}/status`, { status: 'gone' }, 400)).toEqual(
      error('status must be one of available, pending, sold.'),
    );
  });

  test('removes a pet, at once for callers', async () => {
    const { id } = await post('/api/pets', { name: 'Tom', categoryId: '3' }, 200);
    await parts.pets.getPet(BigInt(id));
    await post(`/api/pets/${id}/remove`);
    clock.advance(0.5);
    expect(await parts.pets.getPet(BigInt(id))).toBeUndefined();
    await post(`/api/pets/${id}/remove`, undefined, 404);
    await post(`/api/pets/${id}/status`, { status: 'sold' }, 404);
  });

  test('makes no creation fail that meets a change', async () => {
    const { id } = await post('/api/pets', { name: 'Tom', categoryId: '3' }, 200);
    let changes = 0;
    const changeOften = async () => {
      for (; changes < 20; changes++) await post(`/api/pets/${id}/status`, { status: 'sold' });
    };
    const changing = changeOften();
    while (changes < 20) {
      await parts.pets.createPet(ADA);
      // On a slow disk, the next creation would leave no moment for a change.
      await Bun.sleep(3);
    }
    await changing;
  });

  test('keeps the last 2,000 failed requests of each kind, in pages, the newest first', async () => {
    const { secret } = await newKey(await newAccount());
    const key = await parts.keys.findKey(secret);
    let id = 0;
    for (const [status, isApi, known] of [
      [404, false],
      [401, true],
      [429, true],
      [400, true, key],
      [429, true, key],
    ] as const) {
      for (let each = 0; each <= 2_000; each++) {
        const route = { isApi, operation: undefined, allow: [] };
        const call = { id: `${id++}`, route, nowMs: clock.now(), key: known, address: '::1' };
        failed.record(call, status, 'invalid_api_key', 0.1);
      }
    }
    const ids = async (query: string) => {
      const { rows, next } = await get(`/api/requests?${query}`);
      return [...rows.map((each: { requestId: string }) => each.requestId), next];
    };
    const unknown = { operation: 'unknown', durationMs: 100 };
    expect((await get('/api/requests?status=401')).rows[0]).toMatchObject(unknown);
    const newest = await ids('code=invalid_api_key');
    expect([newest[0], newest[49], newest[50]]).toEqual(['10004', '9955', 9_955]);
    for (let first = 0; first < id; first += 2_001) {
      expect(await ids(`requestId=${first}`)).toEqual([null]);
      expect(await ids(`requestId=${first + 1}`)).toEqual([`${first + 1}`, null]);
    }
    expect(await ids('cursor=6006&status=400')).toEqual(['6005', '6004', null]);
  });

  test('shows the trend of getPet, and its callers up to 500', async () => {
    const { id: accountId } = await newAccount();
    const before = await get('/api/deprecations');
    const use = { accountId, startsAtMs: dayAgo(10), served: 1 };
    await addHistory(Array.from({ length: 501 }, (_, keyId) => ({ ...use, keyId })));
    clock.advance(60);
    const { trend, callers } = await get('/api/deprecations');
    expect(trend).toEqual(before.trend.with(-11, 501));
    expect(callers).toHaveLength(500);
  });

  test('audits every change, with the token it was made with', async () => {
    const account = await newAccount();
    await newKey(account);
    await post('/api/pets', { name: 'Tom', categoryId: '3' }, 200);
    const { rows } = await get('/api/audit');
    const actions = rows.slice(0, 3).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['pet.add', 'key.create', 'account.create']);
    for (const { command, operator } of rows) {
      expect([command, operator]).toEqual([
        'console',
        expect.stringMatching(/^token [0-9a-f]{8}$/),
      ]);
    }
    expect(JSON.stringify(rows)).not.toContain(TOKEN);
  });

  test('shows the audit of one account with the values before and after, from a time on', async () => {
    const account = await newAccount();
    await post(`${pathOf(account)}/plan`, { plan: 'business' });
    const { name, id } = account;
    const audited = async (query = '') => (await get(`/api/audit?account=${name}${query}`)).rows;
    const [changed, created, ...others] = await audited();
    const subject = `account ${id}`;
    expect(changed).toMatchObject({ action: 'account.set-plan', account: name, subject });
    expect(changed.changes).toContainEqual({ field: 'plan', from: 'free', to: 'business' });
    expect([created.action, others]).toEqual(['account.create', []]);
    clock.advance(3600);
    expect(await audited('&since=1h')).toHaveLength(2);
    expect(await audited('&since=30m')).toEqual([]);
  });

  test('shows the audit in pages of 50', async () => {
    const account = await newAccount();
    for (let count = 0; count < 50; count++) {
      await post(`${pathOf(account)}/plan`, { plan: count % 2 ? 'pro' : 'business' });
    }
    const page = (cursor: string) => get(`/api/audit?account=${account.name}&cursor=${cursor}`);
    const { rows, next } = await page('');
    expect(rows).toHaveLength(50);
    expect(await page(next)).toMatchObject({ rows: [{ action: 'account.create' }], next: null });
    const rest = await page(rows[0].id);
    expect([rest.rows.length, rest.next]).toEqual([50, null]);
  });

  test('numbers in a query or a form have only digits', async () => {
    const path = pathOf(await newAccount());
    const parameters = [
      ...['accounts?cursor', 'audit?cursor', 'requests?cursor', 'pets?key', 'live?after'],
    ];
    for (const text of ['-5', '1.5', '1e3', '0x10', '9'.repeat(16)]) {
      for (const parameter of parameters) {
        const { error } = await send(400, `/api/${parameter}=${text}`);
        expect(error).toEndWith('must be a whole number.');
      }
      const limits = { plan: 'enterprise', perMinute: text, perDay: '1' };
      const rule = error('A limit must be an integer from 1 to 1,000,000,000.');
      expect(await post(`${path}/plan`, limits, 400)).toEqual(rule);
      const preview = `${path}/plan-preview?${new URLSearchParams(limits)}`;
      expect(await send(400, preview)).toEqual(rule);
    }
  });

  test('a NUL character in a path or a query is 400', async () => {
    for (const path of ['accounts/a%00b', 'audit?account=a%00b', 'accounts?search=%00']) {
      const refused = await send(400, `/api/${path}`);
      expect(refused).toEqual(error('A URL must not contain %00.'));
    }
    expect(operator.faults).toEqual([]);
  });
});
