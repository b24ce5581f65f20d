import { expect, test } from 'bun:test';
import { NOTHING_SAVED } from '#domain/counts-journal.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import type { UsageReport } from '#domain/usage-report.ts';
import usage from '#reference/pages/usage.md' with { type: 'text' };
import { expectCode, startService, startServiceForAll } from '../support/service.ts';
import { createKey } from '../support/store.ts';

const service = await startServiceForAll();
const { makeKey, call, clock } = service;
const { accounts } = service.store.forOperator({ command: 'test', operator: 'tester' });

const list = (key: string | null) => call('/pets', { key });

function look(
  secret: string | null,
  { url = service.url, method = 'GET', accept = 'application/json' } = {},
) {
  const authorization = secret === null ? {} : { Authorization: `Bearer ${secret}` };
  return fetch(new URL('/usage', url), { method, headers: { Accept: accept, ...authorization } });
}

async function reportOf(secret: string, url = service.url): Promise<UsageReport> {
  const response = await look(secret, { url });
  expect(response.status).toBe(200);
  return (await response.json()) as UsageReport;
}

const UNKNOWN = 'ask_xxxxxxxx';

test('shows both windows, and takes nothing from them', async () => {
  const { secret } = await makeKey('free');
  await list(secret);
  for (let each = 0; each < 2; each++) {
    expect((await reportOf(secret)).windows).toMatchObject({
      minute: { limit: 60, remaining: 59 },
      day: { limit: 1_000, remaining: 999 },
    });
  }
  const { headers } = await list(secret);
  expect(headers.get('x-ratelimit-remaining')).toBe('58');
});

test('must not be cached, and has no limit headers', async () => {
  const { headers } = await look(service.key.secret);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('vary')).toContain('Authorization');
  expect(headers.has('x-ratelimit-limit')).toBe(false);
  expect(headers.has('access-control-allow-origin')).toBe(false);
});

test('an account can look 10 times a minute with all its keys, and others still can', async () => {
  const key = await makeKey('free');
  const { secret } = await createKey(service.store, { accountName: key.accountName });
  for (let each = 0; each < 10; each++) {
    expect((await look(each % 2 ? secret : key.secret)).status).toBe(200);
  }
  const refused = await look(secret);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  await expectCode(refused, 'rate_limit_minute', '10 per minute for /usage');
  expect((await list(secret)).status).toBe(200);
  expect((await look((await makeKey()).secret)).status).toBe(200);
  clock.advance(60);
  expect((await look(secret)).status).toBe(200);
});

test('a refused key sees its state and nothing else, and cannot use up the looks of its account', async () => {
  const { id, secret, accountName } = await makeKey('free');
  const other = await createKey(service.store, { accountName });
  await accounts.revokeKey(id);
  service.store.revision.expire();
  for (let each = 0; each < 11; each++) {
    const response = await look(secret);
    const { code, ...rest } = (await response.json()) as { code: string };
    expect(code).toBe(each < 10 ? 'revoked_api_key' : 'rate_limit_minute');
    expect(Object.keys(rest)).toEqual(['message', 'status']);
  }
  expect((await look(other.secret)).status).toBe(200);
});

test('an expired key and one of a suspended account get the error of the API', async () => {
  const expired = await makeKey('free', undefined, clock.now() + 1_000);
  expect(await reportOf(expired.secret)).toMatchObject({ expiresAtMs: clock.now() + 1_000 });
  clock.advance(2);
  await expectCode(await look(expired.secret), 'expired_api_key');
  const suspended = await makeKey();
  await accounts.suspendAccount(suspended.accountName, 'operator only');
  service.store.revision.expire();
  const body = await (await look(suspended.secret)).text();
  expect(body).toContain('account_suspended');
  expect(body).not.toContain('operator only');
});

test('a read-only key sees that it is one', async () => {
  expect(await reportOf(await service.readOnlyKey())).toMatchObject({ isReadOnly: true });
});

test('a banned key sees when its ban ends', async () => {
  const { secret } = await makeKey('enterprise', { perMinute: 1, perDay: 1_000 });
  for (let each = 0; each < 203; each++) await list(secret);
  clock.advance(2);
  for (let each = 0; each < 30; each++) await list(secret);
  const { state, bannedUntilSeconds = 0 } = await reportOf(secret);
  expect(state).toBe('banned');
  expect(bannedUntilSeconds * 1000).toBeGreaterThan(clock.now());
});

test('wrong keys count as requests of their address, and the 429 says that they had no valid key', async () => {
  clock.advance(86_400);
  for (let each = 0; each < 30; each++) expect((await look(UNKNOWN)).status).toBe(401);
  for (let each = 0; each < 30; each++) expect((await list(UNKNOWN)).status).toBe(401);
  for (const response of [await look(UNKNOWN), await look(null), await list(null)]) {
    await expectCode(response, 'rate_limit_minute', 'without a valid API key is used up');
  }
  expect((await look(service.key.secret)).status).toBe(200);
});

test.each([
  ['GET', 'text/html, application/json;q=0.9', 200, 'text/html'],
  ['GET', '*/*', 200, 'text/html'],
  ['GET', 'application/json, text/plain, */*', 200, 'application/json'],
  ['HEAD', 'application/json', 200, 'application/json'],
  ['POST', 'application/json', 405, 'application/json'],
])('%s for Accept: %s is %d with %s', async (method, accept, status, type) => {
  const response = await look(service.key.secret, { accept, method });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toStartWith(type);
  if (status === 405) expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
});

/** The names of the fields at every depth. */
function fields(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(fields);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fields(each)]));
}

test('shows the requests of the account in 30 days by operation and result, and the failures of the key', async () => {
  const failure = { atMs: 1, code: 'pet_not_found', operation: 'getPet', requestId: 'a' };
  const lastFailuresOf = ({ id }: { id: number }) => [{ ...failure, requestId: `${id}` }];
  await using other = await startService({ clock, replace: { lastFailuresOf } });
  const { id, secret, accountName } = await other.makeKey();
  const { accountId } = await createKey(other.store, { accountName });
  const today = clock.now() - (clock.now() % 86_400_000);
  const none = { refusedByDay: 0, refusedByBan: 0, clientErrors: 0, serverErrors: 0 };
  const counts = { ...none, served: 5, refusedByMinute: 2, busiestMinute: 7, lastAtMs: today };
  for (const [operation, daysAgo, keyId] of [
    ['getPet', 0, id],
    ['getPet', 1, id + 1],
    ['getPet', 30, id],
  ] as const) {
    const startsAtMs = today - daysAgo * 86_400_000;
    await other.store.history.add([{ ...counts, operation, accountId, keyId, startsAtMs }]);
  }
  const report = await reportOf(secret, other.url);
  const days = (each: number) => [...Array(28).fill(0), each, each];
  expect(report.requests).toEqual([
    { operation: 'getPet', result: 'served', days: days(5) },
    { operation: 'getPet', result: 'refusedByMinute', days: days(2) },
  ]);
  expect(report.refusals).toEqual([{ ...failure, requestId: `${id}` }]);
  const [, example = ''] = /```json\n(.*?)```/s.exec(usage) ?? [];
  expect(fields(JSON.parse(example))).toEqual(fields(report));
});

test('while the counts cannot be read, the state is unknown and the rest is shown', async () => {
  const { limiter } = service;
  const getCounts = () => Promise.reject(new Error('Redis is away'));
  const away = {
    ...NOTHING_SAVED,
    getCounts,
    take: limiter.take.bind(limiter),
    peek: limiter.peek.bind(limiter),
  };
  await using other = await startService({ clock, replace: { limiter: away } });
  const report = await reportOf(other.key.secret, other.url);
  expect(report).toMatchObject({ state: 'unknown', requests: [] });
});

test('while the store is away, it gets a 503 with Retry-After', async () => {
  const history = {
    // biome-ignore lint/correctness/useYield: The first read fails.
    async *read(): AsyncGenerator<never> {
      throw new StoreUnavailableError(new Error('The store is away'));
    },
  };
  await using other = await startService({ clock, replace: { history } });
  const response = await look(other.key.secret, { url: other.url });
  expect(response.headers.get('retry-after')).toBe('1');
  await expectCode(response, 'service_unavailable');
});
