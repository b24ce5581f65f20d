import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest } from '#contract/exchange.ts';
import { mintSecret } from '#domain/key-secret.ts';
import { noRequests } from '#domain/operator/history.ts';
import { formatTime } from '#domain/time-text.ts';
import { parameterReader } from '#operator/console-api/call.ts';
import { consoleRoutes } from '#operator/console-api/routes.ts';
import type { FailedRequest, PageOfRows } from '#operator/console-api/shapes.ts';
import { FailedRequests, failedRequestRoutes } from '#operator/failed-requests.ts';
import { Live } from '#operator/live.ts';
import { Metrics } from '#operator/metrics.ts';
import { platform } from '#platform.ts';
import type { ServiceParts } from '#service/service-parts.ts';
import { openParts, TEST_ORIGIN } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { Clock, eventually } from '../support/time.ts';
import { aKnownKey, anHour, newPets } from '../support/values.ts';
import {
  type ConsoleCallOptions,
  consoleAt,
  startConsole,
  type TestConsole,
} from './test-console.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const NO_REQUESTS = noRequests();
const ADA = { name: 'Ada', categoryId: 1n, status: 'sold' } as const;
const SHOP = '/api/accounts/shop';

/**
 * Every route of the console. Each test has its own store and limiter, with the account "shop" on the Free plan. The
 * suites of stores and limiters show that all implementations do the same, so one is enough here: an empty PostgreSQL
 * database for each test would take most of the time.
 */
describe('the console', () => {
  let clock: Clock;
  let parts: ServiceParts;
  let operator: TestConsole;

  beforeEach(async () => {
    clock = new Clock();
    parts = await openParts(newFile().settings, clock);
    const storeOf = ({ name }: { name: string }) =>
      parts.store.forOperator({ ...TEST_ORIGIN, operator: name });
    const sources = {
      store: parts.store.forOperator(TEST_ORIGIN),
      counts: parts.limiter,
      brownouts: [],
      now: clock.now,
      newSecret: () => mintSecret(platform.randomBytes),
      // The end of a test may cut a deletion off.
      onDeletionFailed: () => {},
    };
    const live = new Live(new Metrics(), clock.now);
    const routes = { ...live.routes, ...consoleRoutes(new FailedRequests(0), sources) };
    const { findOperator } = sources.store.operators;
    operator = startConsole({ routes, storeOf, findOperator }, clock);
    await newAccount('shop');
  });
  afterEach(async () => {
    // Every change of these tests was made with the built-in token.
    const { audit } = parts.store.forOperator(TEST_ORIGIN);
    const entries = await audit.listChanges({});
    expect(new Set(entries.map((entry) => entry.operator))).toEqual(new Set(['token']));
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

  const newAccount = (name: string, plan = 'free') => post('/api/accounts', { name, plan }, 200);
  const newKey = (body: object = {}, status = 200) =>
    post(`${SHOP}/keys`, { label: 'web', expires: 'never', ...body }, status);
  const shownKeys = async () => (await get(SHOP)).keys;

  const namesOf = async (query: string) => {
    const { rows } = await get(`/api/accounts?${query}`);
    return rows.map(({ name }: { name: string }) => name);
  };

  /** Adds hours of the account "shop" and its first key, unless they name others. */
  const addHistory = (...hours: Parameters<typeof anHour>[0][]) =>
    parts.store.history.add(hours.map(anHour));
  /** The start of the day that many days ago. */
  const dayAgo = (days: number) => clock.now() - (clock.now() % DAY_MS) - days * DAY_MS;

  /** Counts a request, as a caller would, half a second after the last one. */
  async function take(secret: string) {
    clock.advance(0.5);
    const known = await parts.keys.findKey(secret);
    if (known === undefined) throw new Error('The key does not exist');
    await parts.limiter.take(known, clock.now());
  }

  test('shows what an account has used, also in the last 30 days, and the last use of a key', async () => {
    await take((await newKey()).secret);
    await addHistory(
      { startsAtMs: dayAgo(0), refusedByDay: 5, serverErrors: 1 },
      { startsAtMs: dayAgo(29), served: 2 },
      { startsAtMs: dayAgo(30) + 23 * HOUR_MS, served: 9 },
      { startsAtMs: dayAgo(-1), served: 9 },
    );
    const { account, days, keys } = await get(SHOP);
    expect(account.usage).toEqual({
      minute: { used: 1, limit: 60 },
      day: { used: 1, limit: 1_000 },
    });
    expect(days).toEqual([
      { ...NO_REQUESTS, served: 2 },
      ...Array(28).fill(NO_REQUESTS),
      { ...NO_REQUESTS, refusedByDay: 5, serverErrors: 1 },
    ]);
    expect(keys).toMatchObject([{ lastUsedAt: '2026-11-16T00:00:00Z' }]);
  });

  test('shows the requests of all accounts on each day, at most a minute old', async () => {
    await get('/api/history');
    const counts = { served: 70, refusedByBan: 1, serverErrors: 2 };
    await addHistory({ startsAtMs: dayAgo(3), ...counts });
    clock.advance(60);
    expect((await get('/api/history')).days.at(-4)).toEqual({ ...NO_REQUESTS, ...counts });
  });

  test('sorts accounts, the busiest of 30 days first and equal ones by age, and finds some of them', async () => {
    clock.advance(1);
    await newAccount('Toys Ë');
    await newAccount('acme', 'pro');
    await addHistory(
      { accountId: 2, startsAtMs: dayAgo(1), served: 70, refusedByMinute: 5 },
      { accountId: 3, startsAtMs: dayAgo(1), served: 20, clientErrors: 3 },
    );
    const sorted = (sort: string) => namesOf(`sort=${sort}`);
    expect(await sorted('')).toEqual(['Toys Ë', 'acme', 'shop']);
    expect(await sorted('name')).toEqual(['acme', 'shop', 'Toys Ë']);
    expect(await sorted('-plan')).toEqual(['acme', 'shop', 'Toys Ë']);
    expect(await sorted('-refused')).toEqual(['Toys Ë', 'shop', 'acme']);
    expect(await sorted('-created')).toEqual(['Toys Ë', 'acme', 'shop']);
    expect(await namesOf('search=ys+%C3%AB')).toEqual(['Toys Ë']);
    expect(await namesOf('plan=pro')).toEqual(['acme']);
    await post(`${SHOP}/suspend`, { reason: '' });
    expect(await namesOf('state=suspended')).toEqual(['shop']);
  });

  test.each<[list: string, total: number, add: (number: number) => Promise<unknown>]>([
    ['accounts?', 52, (number) => newAccount(`row-${number}`)],
    ['audit?account=shop', 52, () => newKey()],
    ['keys?', 51, () => newKey()],
    ['pets?status=sold', 51, () => parts.pets.createPet(ADA)],
  ])('lists %s in pages of 50', async (list, total, add) => {
    for (let number = 1; number <= 51; number++) await add(number);
    const first = await get(`/api/${list}`);
    const second = await get(`/api/${list}&cursor=${first.next}`);
    expect([first.rows.length, first.total ?? total, second.next]).toEqual([50, total, null]);
    const ids = [...first.rows, ...second.rows].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([total, total]);
  });

  test('renames an account, also to a name that a URL must escape', async () => {
    const name = "Zoë 犬 @ a.b_c-d & O'Neil (e/f//g), +1";
    expect(await post(`${SHOP}/rename`, { newName: name }, 200)).toMatchObject({ name });
    await get(`/api/accounts/${encodeURIComponent(name)}`);
  });

  test('removes an account with its history', async () => {
    await addHistory({ startsAtMs: 1 });
    await post(`${SHOP}/remove`);
    await send(404, SHOP);
    await eventually(async () => (await parts.store.history.oldest('days')) > 1);
  });

  test('makes a key, shows its secret once, and finds its account by the secret', async () => {
    const { id, secret } = await newKey({ label: 'ci', expires: '90d', scope: 'read' });
    const key = { id, lastFour: secret.slice(-4), label: 'ci', scope: 'read' };
    const keys = await shownKeys();
    expect(keys).toMatchObject([{ ...key, expiresAt: '2027-02-13T12:00:00Z' }]);
    expect(JSON.stringify(keys)).not.toContain(secret);
    expect(await post('/api/keys/find', { secret }, 200)).toEqual({ id, account: 'shop' });
  });

  test('rotates a key, and the new one is valid for as long', async () => {
    const { id } = await newKey({ expires: '90d' });
    clock.advance(3600);
    const [{ renewedUntil }] = await shownKeys();
    const rotation = { overlap: '24h', expires: renewedUntil };
    const successor = await post(`/api/keys/${id}/rotate`, rotation, 200);
    expect(await shownKeys()).toMatchObject([
      { id, successorId: successor.id, expiresAt: '2026-11-16T13:00:00Z' },
      { id: successor.id, expiresAt: '2027-02-13T13:00:00Z' },
    ]);
  });

  test('changes the label and the expiry of a key separately', async () => {
    const { id } = await newKey({ expires: '90d' });
    const updated = async (body: object) => {
      await post(`/api/keys/${id}/update`, body);
      const [{ label, expiresAt }] = await shownKeys();
      return [label, expiresAt];
    };
    expect(await updated({ label: '' })).toEqual(['', expect.any(String)]);
    expect(await updated({ label: 'till' })).toEqual(['till', expect.any(String)]);
    expect(await updated({ expires: 'never' })).toEqual(['till', null]);
  });

  test('shows a ban with its end, and lifts it', async () => {
    await post(`${SHOP}/plan`, { plan: 'enterprise', perMinute: '1', perDay: '1' });
    const { id, secret } = await newKey();
    for (let count = 0; count < 240; count++) await take(secret);
    const [banned] = await shownKeys();
    expect(banned.state).toBe('banned');
    expect(Date.parse(banned.bannedUntil)).toBeGreaterThan(clock.now());
    expect((await get('/api/accounts')).rows).toMatchObject([{ bannedKeys: 1 }]);
    await newAccount('acme');
    const bannedAccounts = () => namesOf('state=banned');
    await parts.store.history.add([{ ...anHour(), refusedAtMs: clock.now() }]);
    expect(await bannedAccounts()).toEqual(['shop']);
    await post(`/api/keys/${id}/unban`);
    expect(await shownKeys()).toMatchObject([{ state: 'active', bannedUntil: null }]);
    expect(await bannedAccounts()).toEqual([]);
  });

  test('lists the keys of all accounts with their requests of 30 days, and filters them', async () => {
    await newKey();
    await newAccount('acme');
    const { id } = await post('/api/accounts/acme/keys', { label: 'tv', expires: '30d' }, 200);
    await addHistory({ startsAtMs: dayAgo(29), served: 2 }, { startsAtMs: dayAgo(30), served: 9 });
    const last = { id, account: 'acme', label: 'tv', requestsIn30Days: 0 };
    const first = { id: 1, account: 'shop', requestsIn30Days: 2 };
    expect((await get('/api/keys')).rows).toMatchObject([first, last]);
    expect((await get('/api/keys?filter=expiring')).rows).toMatchObject([last]);
    expect(await send(400, '/api/keys?filter=old')).toEqual({
      error: 'The filter must be one of banned, expiring, unused, read-only, revoked.',
    });
  });

  test('shows the ten accounts refused most in this hour and the last, half a minute old', async () => {
    for (let number = 2; number <= 12; number++) await newAccount(`shop-${number}`);
    await addHistory({ startsAtMs: clock.now(), served: 1 });
    expect((await get('/api/history')).refused).toEqual([]);
    const hours = [0, 1, 2].map((age) => clock.now() - age * HOUR_MS);
    for (let accountId = 2; accountId <= 12; accountId++) {
      const counts = { served: 1, refusedByMinute: 100 * accountId };
      await addHistory(...hours.map((startsAtMs) => ({ accountId, startsAtMs, ...counts })));
    }
    clock.advance(30);
    const { refused } = await get('/api/history');
    const most = { account: 'shop-12', served: 2, refusedByMinute: 2_400 };
    expect(refused[0]).toEqual({ ...NO_REQUESTS, ...most });
    expect(refused).toHaveLength(10);
  });

  test('lists pets, the newest first, and filters them', async () => {
    for (let count = 0; count < 2; count++) await parts.pets.createPet(ADA);
    expect((await get('/api/pets?status=sold')).rows).toMatchObject([{ id: '2' }, { id: '1' }]);
    for (const filter of ['status=pending', 'until=1h', 'key=1', 'since=1h&account=shop']) {
      expect(await get(`/api/pets?${filter}`)).toEqual({ rows: [], next: null });
    }
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
    await post('/api/pets', { name: 'Rex', categoryId: 1 }, 400);
  });

  test('shows the trend of getPet, and its callers up to 500', async () => {
    const use = { startsAtMs: dayAgo(10), served: 1 };
    await addHistory(...Array.from({ length: 501 }, (_, keyId) => ({ ...use, keyId })));
    const { trend, callers } = await get('/api/deprecations');
    expect(trend).toEqual(Array(30).fill(0).with(-11, 501));
    expect(callers).toHaveLength(500);
  });

  test('shows the audit of one account, and from a time on', async () => {
    await newAccount('other');
    await post(`${SHOP}/plan`, { plan: 'business' });
    const audited = async (query = '') => (await get(`/api/audit?account=shop${query}`)).rows;
    const rows = await audited();
    const change = { action: 'account.set-plan', account: 'shop' };
    expect(rows).toMatchObject([change, { action: 'account.create' }]);
    expect(rows[0].changes).toContainEqual({ field: 'plan', from: 'free', to: 'business' });
    expect(await audited('&action=create')).toMatchObject([{ action: 'account.create' }]);
    expect(await audited('&operator=eve')).toEqual([]);
    clock.advance(3600);
    expect(await audited('&since=1h')).toHaveLength(2);
    expect(await audited('&since=30m')).toEqual([]);
  });

  test('lets a viewer see everything and change nothing', async () => {
    const token = mintSecret(platform.randomBytes, 'operator');
    const { operators } = parts.store.forOperator({ ...TEST_ORIGIN, operator: 'token' });
    await operators.createOperator({ name: 'eve', role: 'viewer' }, token);
    const as = consoleAt(operator.url, token);
    const { secret } = await newKey();
    const statusOf = async (path: string, body: object) =>
      (await as(path, { method: 'POST', body })).status;
    expect((await as(SHOP)).status).toBe(200);
    expect(await statusOf('/api/keys/find', { secret })).toBe(200);
    expect(await statusOf('/api/keys/1/revoke', {})).toBe(403);
  });

  test('refuses what means nothing, and says why', async () => {
    const account = { name: 'new', plan: 'gold' };
    expect(await post('/api/accounts', account, 400)).toEqual({
      error: 'The plan must be one of free, pro, business, enterprise, not "gold".',
    });
    for (const body of [{ expires: 'tomorrow' }, { scope: 'write' }]) await newKey(body, 400);
    const limits = 'plan=enterprise&perMinute=1.5&perDay=1';
    await post(`${SHOP}/plan`, Object.fromEntries(new URLSearchParams(limits)), 400);
    for (const query of [
      'accounts?sort=-toString',
      `accounts/shop/plan-preview?${limits}`,
      'pets?status=lost',
      'pets?since=then',
      'pets?id=rex',
      'pets?cursor=rex',
    ]) {
      await send(400, `/api/${query}`);
    }
    for (const parameter of ['accounts?cursor', 'requests?cursor', 'pets?key']) {
      const refused = await send(400, `/api/${parameter}=-5`);
      expect(refused.error).toEndWith('must be a whole number.');
    }
    expect(await post('/api/keys/99999999999/revoke', undefined, 404)).toEqual({
      error: 'Key 99999999999 does not exist.',
    });
    await post('/api/pets/1/status', { status: 'gone' }, 400);
    for (const path of ['accounts/a%00b', 'audit?account=a%00b']) {
      const refused = await send(400, `/api/${path}`);
      expect(refused).toEqual({ error: 'A URL must not contain %00.' });
    }
  });
});

describe('the failed requests', () => {
  const START_MS = Date.UTC(2026, 10, 15);
  const failed = new FailedRequests(START_MS);
  const route = { isApi: true, operation: undefined, allow: [] };
  let seconds = 0;

  /** Records a request, one second after the last one, and returns its id. */
  function fail(sent: Partial<ObservedRequest>, code: ErrorCode = 'invalid_api_key') {
    seconds++;
    const nowMs = START_MS + seconds * 1000;
    const id = Bun.randomUUIDv7('hex', nowMs);
    const call = {
      id,
      route,
      nowMs,
      key: undefined,
      refusedKey: undefined,
      address: '::1',
      ...sent,
    };
    failed.record(call, code, 1);
    return id;
  }

  const search = failedRequestRoutes(failed)['GET /api/requests'];
  function list(text = '') {
    const query = new URLSearchParams(text);
    const call = { query, read: parameterReader(query) } as never;
    return search?.(call) as PageOfRows<FailedRequest>;
  }

  const keyOf = (accountId: number, id = accountId) =>
    aKnownKey({ id, accountId, accountName: `account ${accountId}` });
  const noteSince = (time: string) =>
    `Complete since ${time}, for this instance. Equal requests share a row.`;
  const at = (second: number) => formatTime(START_MS + second * 1000);

  test('of one key that are equal share a row, and those without a known key or with 429 can be left out', () => {
    const ids = Array.from({ length: 25 }, () => fail({ key: keyOf(1) }, 'rate_limit_day'));
    const requestId = fail({ refusedKey: keyOf(1, 2) });
    // A host with IPv6 can send from a whole network.
    for (const address of ['::1', '::2']) fail({ address });
    const account = 'account 1';
    const limited = { account, key: 1, firstAt: at(1), at: at(25), count: 25, requestId: ids[24] };
    const refused = { account, key: 2, count: 1, requestId };
    expect(list().rows).toMatchObject([refused, limited]);
    expect(list('status=!429').rows).toMatchObject([refused]);
    expect(list('status=429').rows).toMatchObject([limited]);
    expect(list('callers=unknown').rows).toMatchObject([{ account: null, count: 2 }]);
    for (const [index, id] of ids.entries()) {
      const { rows, note } = list(`requestId=${id}`);
      expect(rows.map(({ count }) => count)).toEqual(index < 5 ? [] : [25]);
      expect(note).toContain(`${at(index + 1)} ${index < 5 ? 'is not in this list' : 'failed;'}`);
    }
  });

  test('of strangers take no place from those of accounts, and say since when they are complete', () => {
    fail({ key: keyOf(3) });
    const dropped = fail({});
    for (let each = 0; each < 2_000; each++) fail({ address: `10.0.${each >> 8}.${each & 255}` });
    const pages = [list('callers=unknown')];
    while (pages.at(-1)?.next) {
      pages.push(list(`callers=unknown&cursor=${pages.at(-1)?.next}`));
    }
    const strangers = pages.flatMap(({ rows }) => rows);
    expect(strangers.length).toBeWithin(1_000, 2_000);
    // The request before the oldest one that is listed was dropped last.
    expect(pages[0]?.note).toBe(noteSince(at(seconds - strangers.length)));
    expect(list(`requestId=${dropped}`)).toMatchObject({ rows: [] });
    expect(list('account=account 3')).toMatchObject({ rows: [{}], note: noteSince(at(0)) });
  });

  test('of keys that were not refused for long are dropped once there are too many', () => {
    fail({ key: keyOf(5) });
    for (let each = 0; each < 2_000; each++) {
      fail({ key: keyOf(1_000 + each) });
      fail({ key: keyOf(3) });
    }
    expect(list('account=account 5')).toMatchObject({
      rows: [],
      note: expect.not.stringContaining(at(0)),
    });
    expect(list('account=account 3')).toMatchObject({ rows: [{ count: 2_001 }] });
    // Only the same key, code and operation make requests equal.
    fail({ key: keyOf(3) }, 'pet_not_found');
    fail({ key: keyOf(3), route: { ...route, operation: 'getPet' } });
    expect(list('account=account 3').rows).toHaveLength(3);
    // After a rename, all rows have the new name.
    fail({ key: { ...keyOf(3), accountName: 'renamed' } });
    expect(list('account=renamed').rows).toHaveLength(3);
  });

  test('of an account with many keys take no place from others, and neither does a look at the usage of a key', () => {
    fail({ key: keyOf(6) });
    for (let id = 10_000; id < 12_000; id++) {
      fail({ key: keyOf(8, id) });
      failed.lastOfKey(keyOf(id));
    }
    const { rows, note } = list('account=account 8');
    expect(rows.map(({ key }) => key)).toEqual(
      Array.from({ length: 20 }, (_, index) => 11_999 - index),
    );
    expect(note).toBe(noteSince(at(seconds - 20)));
    expect(list('account=account 6').rows).toHaveLength(1);
  });

  test('of strangers, a hundred new addresses a second are kept, and of accounts all', () => {
    const nowMs = START_MS + 10 ** 6 * 1000;
    const ids = Array.from({ length: 101 }, (_, each) => {
      fail({ key: keyOf(7_000 + each), nowMs });
      return fail({ address: `10.1.0.${each}`, nowMs });
    });
    expect(list('account=account 7100').rows).toHaveLength(1);
    ids.push(fail({ address: '10.1.0.100', nowMs: nowMs + 1000 }));
    const kept = ids.map((id) => list(`requestId=${id}`).rows.length);
    expect(kept.slice(99)).toEqual([1, 0, 1]);
    expect(list('callers=unknown').note).toBe(noteSince(at(10 ** 6)));
  });

  test('a caller sees the last 20 failures of its key, the last one first', () => {
    const ids = Array.from({ length: 15 }, () => [
      fail({ key: keyOf(900, 901) }, 'pet_not_found'),
      fail({ key: keyOf(900, 901) }, 'rate_limit_minute'),
    ]).flat();
    fail({ key: keyOf(900, 902) });
    const shown = failed.lastOfKey(keyOf(900, 901));
    expect(shown.map(({ requestId }) => requestId)).toEqual(ids.slice(-20).reverse());
    const atMs = START_MS + (seconds - 1) * 1000;
    expect(shown[0]).toMatchObject({ atMs, code: 'rate_limit_minute' });
  });
});
