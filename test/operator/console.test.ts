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

  const newAccount = (accountName: string, plan = 'free') =>
    post('/api/accounts', { name: accountName, plan }, 200);
  const newKey = (accountName: string) =>
    post(`/api/accounts/${accountName}/keys`, { label: 'web', expires: 'never' }, 200);

  const namesOf = async (query: string) => {
    const { rows } = await get(`/api/accounts?${query}`);
    return rows.map((account: { name: string }) => account.name);
  };

  const addHistory = (hours: Parameters<typeof anHour>[0][]) =>
    parts.store.history.add(hours.map(anHour));

  /** Counts a request, as a caller would. */
  async function take(secret: string): Promise<void> {
    const known = await parts.keys.findKey(secret);
    if (known === undefined) throw new Error('The key does not exist');
    await parts.limiter.take(known, clock.now());
  }

  test('creates an account with a plan, once', async () => {
    const account = await newAccount('shop');
    expect(account).toMatchObject({ name: 'shop', plan: 'free', perMinute: 60, state: 'active' });
    const usage = { minute: { used: 0, limit: 60 }, day: { used: 0, limit: 1_000 } };
    expect(await get('/api/accounts/shop')).toEqual({
      account: { ...account, usage },
      days: Array(30).fill(NO_REQUESTS),
      keys: [],
    });
    const refuse = (body: object, status = 400) =>
      post('/api/accounts', { name: 'shop', ...body }, status);
    expect(await refuse({ plan: 'pro' }, 409)).toEqual(error('Account "shop" already exists.'));
    expect(await refuse({ plan: 'gold' })).toEqual(
      error('The plan must be one of free, pro, business, enterprise, not "gold".'),
    );
  });

  test('shows the usage of both windows and the requests of 30 days', async () => {
    const { id: accountId } = await newAccount('used');
    const { id: keyId, secret } = await newKey('used');
    await take(secret);
    await take(secret);
    const today = clock.now() - (clock.now() % DAY_MS);
    await addHistory([
      { accountId, keyId, startsAtMs: today, refusedByDay: 5, serverErrors: 1 },
      { accountId, keyId, startsAtMs: today - 29 * DAY_MS, served: 2 },
      { accountId, keyId, startsAtMs: today - 30 * DAY_MS + 23 * HOUR_MS, served: 9 },
      { accountId, keyId, startsAtMs: today + DAY_MS, served: 9 },
    ]);
    const { account, days, keys } = await get('/api/accounts/used');
    expect(account.usage).toEqual({
      minute: { used: 2, limit: 60 },
      day: { used: 2, limit: 1_000 },
    });
    expect(days).toEqual([
      { ...NO_REQUESTS, served: 2 },
      ...Array(28).fill(NO_REQUESTS),
      { ...NO_REQUESTS, refusedByDay: 5, serverErrors: 1 },
    ]);
    expect(keys).toMatchObject([
      { id: keyId, lastUsedAt: expect.stringMatching(/^2026-11-16T00:/) },
    ]);
  });

  test('finds accounts in pages, the busiest of 30 days first, and has the totals of all', async () => {
    await newAccount('Busy-a');
    clock.advance(1);
    const b = await newAccount('busy-b');
    const c = await newAccount('busy-c');
    const startsAtMs = clock.now() - (clock.now() % DAY_MS) - DAY_MS;
    clock.advance(60);
    await namesOf('');
    await addHistory([
      { accountId: b.id, startsAtMs, served: 70, refusedByMinute: 5, refusedByBan: 1 },
      { accountId: c.id, startsAtMs, served: 20, clientErrors: 3, serverErrors: 2 },
    ]);
    clock.advance(60);
    expect(await namesOf('search=busy-')).toEqual(['busy-b', 'busy-c', 'Busy-a']);
    const { total, next, rows } = await get('/api/accounts?search=busy-&cursor=2');
    expect([total, next, rows.length, rows[0].name]).toEqual([3, null, 1, 'Busy-a']);
    await post('/api/accounts/busy-c/plan', { plan: 'pro' });
    const sorted = async (sort: string) => (await namesOf(`search=busy-&sort=${sort}`)).join(' ');
    expect(await sorted('name')).toBe('Busy-a busy-b busy-c');
    expect(await sorted('-plan')).toBe('busy-c Busy-a busy-b');
    expect(await sorted('-refused')).toBe('busy-b Busy-a busy-c');
    expect(await sorted('-created')).toBe('busy-b busy-c Busy-a');
    expect(await namesOf('search=busy-&plan=pro')).toEqual(['busy-c']);
    await send(400, '/api/accounts?sort=-toString');
    const names = Array.from({ length: 51 }, (_, i) => `row-${i}`);
    for (const name of names) await newAccount(name);
    for (const sort of ['', 'plan']) {
      expect(await namesOf(`search=row-&sort=${sort}`)).toEqual(names.slice(0, 50));
    }
    const { days } = await get('/api/history');
    expect(days).toHaveLength(30);
    const refused = { refusedByMinute: 5, refusedByDay: 0, refusedByBan: 1 };
    expect(days.at(-2)).toEqual({ served: 90, ...refused, clientErrors: 3, serverErrors: 2 });
  });

  test('suspends an account and resumes it', async () => {
    await newAccount('late-payer');
    const { secret } = await newKey('late-payer');
    await post('/api/accounts/late-payer/suspend', { reason: 'invoice 7' });
    clock.advance(0.5);
    expect((await parts.keys.findKey(secret))?.accountSuspendedAtMs).toBeNumber();
    const suspended = { state: 'suspended', suspensionReason: 'invoice 7' };
    expect((await get('/api/accounts/late-payer')).account).toMatchObject(suspended);
    expect(await namesOf('state=suspended')).toEqual(['late-payer']);
    expect(await namesOf('state=active&search=late')).toEqual([]);
    await post('/api/accounts/late-payer/resume');
    expect(await namesOf('state=active&search=late')).toEqual(['late-payer']);
  });

  test('renames an account to any name that it may have, finds it by that, and removes it', async () => {
    const { id: accountId } = await newAccount('Zoe');
    const { secret } = await newKey('Zoe');
    await addHistory([{ accountId, startsAtMs: 1 }]);
    const rename = (newName: string, status: number) =>
      post('/api/accounts/Zoe/rename', { newName }, status);
    await rename('shop', 409);
    const name = "Zoë 犬 @ a.b_c-d & O'Neil (e/f//g), +1";
    expect(await rename(name.replace(' ', '  '), 200)).toMatchObject({ name });
    expect(await namesOf('search=ZO%C3%8B')).toEqual([name]);
    const path = `/api/accounts/${encodeURIComponent(name)}/remove`;
    await post(path);
    await post(path, undefined, 404);
    clock.advance(0.5);
    expect(await parts.keys.findKey(secret)).toBeUndefined();
    await eventually(async () => (await parts.store.history.oldest('days')) > 1);
  });

  test('makes a key, whose secret it shows once', async () => {
    await newAccount('keyed');
    const key = { label: 'ci', expires: '90d', scope: 'read' };
    const made = await post('/api/accounts/keyed/keys', key, 200);
    const account = await get('/api/accounts/keyed');
    const expiresAt = expect.stringMatching(/^2027-02-13T12/);
    expect(account.keys).toMatchObject([
      { id: made.id, lastFour: made.secret.slice(-4), label: 'ci', scope: 'read', expiresAt },
    ]);
    expect(await post('/api/keys/find', { secret: made.secret }, 200)).toEqual({
      id: made.id,
      account: 'keyed',
    });
    const unknown = { secret: mintSecret(platform.randomBytes) };
    expect(await post('/api/keys/find', unknown, 404)).toEqual(
      error('This store does not have this key.'),
    );
    const mistaken = await send(404, `/api/accounts/${made.secret}`);
    const shown = JSON.stringify([account, await get('/api/audit'), mistaken]);
    expect(shown).not.toContain(made.secret);
    await post('/api/accounts/keyed/keys', { ...key, expires: 'tomorrow' }, 400);
    await post('/api/accounts/keyed/keys', { ...key, scope: 'write' }, 400);
  });

  test('rotates a key and revokes it', async () => {
    await newAccount('rotated');
    const { id } = await post('/api/accounts/rotated/keys', { label: '', expires: '90d' }, 200);
    const [{ renewedUntil: expires }] = (await get('/api/accounts/rotated')).keys;
    const rotate = (status: number) =>
      post(`/api/keys/${id}/rotate`, { overlap: '24h', expires }, status);
    const rotated = await rotate(200);
    await rotate(400);
    expect((await parts.keys.findKey(rotated.secret))?.expiresAtMs).toBe(Date.parse(expires));
    const update = (body: object, status = 204) =>
      post(`/api/keys/${rotated.id}/update`, body, status);
    const updated = async () => (await get('/api/accounts/rotated')).keys[1];
    await update({ label: 'till' });
    expect(await updated()).toMatchObject({ label: 'till', expiresAt: expires });
    await update({ expires: 'never' });
    expect(await updated()).toMatchObject({ label: 'till', expiresAt: null });
    await update({ label: '' });
    expect(await updated()).toMatchObject({ label: '' });
    await post(`/api/keys/${rotated.id}/revoke`);
    await update({ expires: 'never' }, 400);
    clock.advance(0.5);
    expect((await parts.keys.findKey(rotated.secret))?.revokedAtMs).toBeNumber();
    const { keys } = await get('/api/accounts/rotated');
    const successor = expect.objectContaining({ id, scope: 'all', successorId: rotated.id });
    expect(keys).toContainEqual(successor);
    expect(await post('/api/keys/99999999999/revoke', undefined, 404)).toEqual(
      error('Key 99999999999 does not exist.'),
    );
  });

  test('shows a ban with its end, and lifts it', async () => {
    const limits = { plan: 'enterprise', perMinute: '1', perDay: '1' };
    const { id: accountId } = await post('/api/accounts', { name: 'banned', ...limits }, 200);
    const { id: keyId, secret } = await newKey('banned');
    for (let i = 0; i < 240; i++) {
      if (i === 205) clock.advance(2);
      await take(secret);
    }
    const [{ id, state, bannedUntil }] = (await get('/api/accounts/banned')).keys;
    expect([id, state]).toEqual([keyId, 'banned']);
    expect(Date.parse(bannedUntil)).toBeGreaterThan(clock.now());
    const bannedKeys = async () => (await get('/api/accounts?search=banned')).rows[0].bannedKeys;
    expect(await bannedKeys()).toBe(1);
    const hourMs = clock.now() - (clock.now() % HOUR_MS);
    const use = { accountId, keyId, served: 1, refusedByMinute: 2, refusedByBan: 3 };
    const mostRefused = async () => (await get('/api/history')).refused;
    expect(await mostRefused()).toEqual([]);
    const { id: shopId } = (await get('/api/accounts/shop')).account;
    await addHistory([
      ...[0, 1, 2].map((age) => ({ ...use, startsAtMs: hourMs - age * HOUR_MS })),
      { accountId: shopId, startsAtMs: hourMs, served: 1 },
    ]);
    clock.advance(30);
    const refused = { account: 'banned', served: 2, refusedByMinute: 4, refusedByBan: 6 };
    expect(await mostRefused()).toEqual([{ ...NO_REQUESTS, ...refused }]);
    // Ten others are refused more often.
    const ids = Array.from({ length: 10 }, (_, i) => accountId - 20 + i);
    await addHistory(ids.map((id) => ({ accountId: id, startsAtMs: hourMs, refusedByDay: 99 })));
    clock.advance(30);
    expect(await mostRefused()).toHaveLength(10);
    await post(`/api/keys/${keyId}/unban`);
    expect((await get('/api/accounts/banned')).keys).toMatchObject([
      { state: 'active', bannedUntil: null },
    ]);
  });

  test('adds pets and lists them by status, in pages, with every digit', async () => {
    const add = (body: object) => post('/api/pets', body, 200);
    const rex = { name: '7', categoryId: '9223372036854775807', status: 'sold' };
    const first = await add(rex);
    expect(first).toEqual({ id: expect.stringMatching(/^\d+$/), ...rex });
    const ada = { name: 'Ada', categoryId: 1n, status: 'sold' } as const;
    for (let count = 1; count < 50; count++) await parts.pets.createPet(ada);
    await add({ name: 'Cat', categoryId: '2' });
    const last = await add({ name: 'Bo', categoryId: '-1', status: 'sold' });
    const { rows, next } = await get('/api/pets?status=sold');
    expect([rows.length, rows[49].id]).toEqual([50, next]);
    expect(rows[0]).toEqual({ ...last, addedAt: expect.any(String), key: null, account: null });
    const second = await get(`/api/pets?status=sold&cursor=${next}`);
    expect(second).toMatchObject({ rows: [first], next: null });
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

  test('corrects the status of a pet, at once for callers, and removes it', async () => {
    const { id } = await post('/api/pets', { name: 'Tom', categoryId: '3' }, 200);
    expect((await parts.pets.getPet(BigInt(id)))?.status).toBe('available');
    await post(`/api/pets/${id}/status`, { status: 'pending' });
    expect((await get(`/api/pets?id=${id}`)).rows).toMatchObject([{ id, status: 'pending' }]);
    clock.advance(0.5);
    expect((await parts.pets.getPet(BigInt(id)))?.status).toBe('pending');
    expect(await post(`/api/pets/${id}/status`, { status: 'gone' }, 400)).toEqual(
      error('status must be one of available, pending, sold.'),
    );
    await post('/api/pets/9223372036854775807/status', { status: 'sold' }, 404);
    await post(`/api/pets/${id}/remove`);
    clock.advance(0.5);
    expect(await parts.pets.getPet(BigInt(id))).toBeUndefined();
    await post(`/api/pets/${id}/remove`, undefined, 404);
  });

  test('makes no creation fail that meets a change', async () => {
    const { id } = await post('/api/pets', { name: 'Tom', categoryId: '3' }, 200);
    let changes = 0;
    const changeOften = async () => {
      for (; changes < 20; changes++) await post(`/api/pets/${id}/status`, { status: 'sold' });
    };
    const changing = changeOften();
    const ada = { name: 'Ada', categoryId: 1n, status: 'sold' } as const;
    while (changes < 20) {
      await parts.pets.createPet(ada);
      // On a slow disk, the next creation would leave no moment for a change.
      await Bun.sleep(3);
    }
    await changing;
  });

  test('keeps the last 2,000 failed requests of each kind, in pages, the newest first', async () => {
    await newAccount('failing');
    const key = await parts.keys.findKey((await newKey('failing')).secret);
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
    const { id: accountId } = await newAccount('caller');
    const startsAtMs = clock.now() - (clock.now() % HOUR_MS) - 10 * DAY_MS;
    const before = await get('/api/deprecations');
    await addHistory(
      Array.from({ length: 501 }, (_, keyId) => ({ accountId, keyId, startsAtMs, served: 1 })),
    );
    clock.advance(60);
    const { trend, callers } = await get('/api/deprecations');
    expect(trend).toEqual(before.trend.with(-11, 501));
    expect(callers).toHaveLength(500);
  });

  test('audits every change, with the token it was made with', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the tests check the whole body.
    const entries: any[] = [];
    for (let cursor: number | string | null = ''; cursor !== null; ) {
      const page = await get(`/api/audit?cursor=${cursor}`);
      entries.push(...page.rows);
      cursor = page.next;
    }
    // One for each kind of change above.
    expect(new Set(entries.map(({ action }) => action)).size).toBe(14);
    for (const entry of entries) {
      expect(entry.command).toBe('console');
      expect(entry.operator).toMatch(/^token [0-9a-f]{8}$/);
    }
    expect(JSON.stringify(entries)).not.toContain(TOKEN);
  });

  test('shows the audit of one account, in pages, from a time on', async () => {
    const { id } = await newAccount('audited');
    for (let count = 0; count < 25; count++) {
      await post('/api/accounts/audited/plan', { plan: 'pro' });
      await post('/api/accounts/audited/plan', { plan: 'business' });
    }
    const { rows, next } = await get('/api/audit?account=audited');
    expect(rows).toHaveLength(50);
    const subject = `account ${id}`;
    expect(rows[0]).toMatchObject({ action: 'account.set-plan', account: 'audited', subject });
    expect(rows[0].changes).toContainEqual({ field: 'plan', from: 'pro', to: 'business' });
    const second = await get(`/api/audit?account=audited&cursor=${next}`);
    expect(second).toMatchObject({ rows: [{ action: 'account.create' }], next: null });
    const rest = await get(`/api/audit?account=audited&cursor=${rows[0].id}`);
    expect([rest.rows.length, rest.next]).toEqual([50, null]);
    clock.advance(3600);
    expect((await get('/api/audit?account=audited&since=1h')).rows).toHaveLength(50);
    expect((await get('/api/audit?account=audited&since=30m')).rows).toEqual([]);
  });

  test('numbers in a query or a form have only digits', async () => {
    const NUMBERS = [
      'accounts?cursor',
      'audit?cursor',
      'requests?cursor',
      'pets?key',
      'live?after',
    ];
    for (const text of ['-5', '1.5', '1e3', '0x10', '9'.repeat(16)]) {
      for (const parameter of NUMBERS) {
        const { error } = await send(400, `/api/${parameter}=${text}`);
        expect(error).toEndWith('must be a whole number.');
      }
      const limits = { plan: 'enterprise', perMinute: text, perDay: '1' };
      const rule = error('A limit must be an integer from 1 to 1,000,000,000.');
      expect(await post('/api/accounts/shop/plan', limits, 400)).toEqual(rule);
      const preview = `/api/accounts/shop/plan-preview?${new URLSearchParams(limits)}`;
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
