import { describe, expect, test } from 'bun:test';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import { head, rawHttp } from '../support/http.ts';
import { eventually, rejection } from '../support/time.ts';
import { startStagingForAll } from './test-staging.ts';

const staging = await startStagingForAll('SQLite');

/** A key of a new account that asks for a failure, and one of the same account that does not. */
async function keysFor(failure: string, limits = {}) {
  const { key: real, accountName } = await staging.makeKey({ limits });
  const { key } = await staging.makeKey({ accountName, failure });
  return { key, real };
}

const VARYING = /^(x-request-id|x-ratelimit-remaining|x-ratelimit-reset|ratelimit|date)$/;

/** The parts of a response that are the same for the same reason, whenever it is sent. */
async function get(key: string, path = '/v1/pets/0', testTime?: string) {
  const response = await staging.call(path, { key, testTime });
  const same = [...response.headers].filter(([name]) => !VARYING.test(name));
  const headers = Object.fromEntries(same);
  return { status: response.status, headers, body: await response.json() };
}

/** `fetch` would send a request again if the connection had been used before. */
function send(key: string, target: string, body = '', ...headers: string[]) {
  const start = [`${target} HTTP/1.1`, `Authorization: Bearer ${key}`, ...headers] as const;
  const json = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  // A connection that is reset has no response.
  return rawHttp(staging.url, [head(...start, ...json, 'Connection: close') + body]).catch(
    () => '',
  );
}

function sendPet(key: string, name: string, idempotencyKey: string) {
  const body = `{"name":"${name}","categoryId":1}`;
  return send(key, 'POST /v1/pets', body, `Idempotency-Key: ${idempotencyKey}`);
}

const allPets = () => staging.store.pets.listPets({ limit: 1_000 });

describe('a rehearsed error is the same response as the real one', () => {
  test.each([
    ['rate_limit_minute', { perMinute: 1, perDay: 9 }],
    ['rate_limit_day', { perMinute: 9, perDay: 1 }],
  ])('%s', async (code, limits) => {
    const { key, real } = await keysFor(code, limits);
    const first = await get(key, '/v1/pets/0', '2029-12-31T23:59:50Z');
    expect(first.body.code).toBe(code);
    expect((await get(real)).status).toBe(404);
    expect(await get(real)).toEqual(first);
  });

  test('expired_api_key and revoked_api_key', async () => {
    const nowMs = staging.clock.now();
    const { key: expired } = await staging.makeKey({ expiresAtMs: nowMs });
    const { key: expiring } = await keysFor('expired_api_key');
    expect(await get(expiring)).toEqual(await get(expired));
    const { key, id } = await staging.makeKey();
    const rehearsed = await get(`${key}~revoked_api_key`);
    await staging.store.accounts.revokeKey(id);
    expect(rehearsed).toEqual(await get(key));
    // A key that is refused gets its own error, not the failure that it asks for.
    for (const failure of ['rate_limit_day', 'drop']) {
      expect(await get(`${key}~${failure}`)).toEqual(rehearsed);
    }
  });

  test('read_only_key, for createPet only', async () => {
    const { key } = await keysFor('read_only_key');
    expect(await sendPet(key, 'Refused', 'a')).toStartWith('HTTP/1.1 403');
    expect((await get(key, '/v1/pets')).status).toBe(200);
  });

  test('operation_removed, for getPet only', async () => {
    const { key, real } = await keysFor('operation_removed');
    const rehearsed = await get(key);
    expect(rehearsed.status).toBe(410);
    expect(await get(real, '/v1/pets/0', '2030-12-05T00:00:00Z')).toEqual(rehearsed);
    expect((await get(key, '/v1/pets')).status).toBe(200);
  });

  test.each([
    ['api_key_banned', '300'],
    ['service_unavailable', '1'],
    ['internal_error', undefined],
  ])('%s, on every path', async (code, retryAfter) => {
    staging.clock.advance(0.5);
    const { key } = await keysFor(code);
    for (const path of ['/v1/pets', '/v1/unknown']) {
      const { headers, body } = await get(key, path);
      expect([body.code, headers['retry-after']]).toEqual([code, retryAfter]);
    }
  });
});

test('slow delays the response, and the request stops counting as in progress if the client disconnects', async () => {
  const { key: brief } = await keysFor('slow-0.5s');
  const startedAtMs = performance.now();
  expect((await get(brief, '/v1/pets')).status).toBe(200);
  // A timer may be early by a millisecond. A busy machine only makes it later.
  expect(performance.now() - startedAtMs).toBeGreaterThan(490);
  const { key } = await keysFor('slow-10s');
  const leaving = new AbortController();
  const headers = { Authorization: `Bearer ${key}` };
  const request = fetch(`${staging.url}/v1/pets`, { headers, signal: leaving.signal });
  await eventually(() => staging.requestsInFlight() === 1);
  leaving.abort();
  await rejection(request);
  await eventually(() => staging.requestsInFlight() === 0);
});

test('an unknown failure, or one out of range, is 400 and lists all failures', async () => {
  const { key } = await staging.makeKey();
  for (const failure of ['slow-0s', 'slow-10.1s', 'flaky-0', 'flaky-1.5', 'flaky-101']) {
    expect((await get(`${key}~${failure}`)).status).toBe(400);
  }
  const { status, body } = await get(`${key}~fire`);
  expect(status).toBe(400);
  expect(body.message).toStartWith(
    'The header Authorization must end after "~" with one of rate_limit_minute, ',
  );
  expect(body.message).toEndWith(
    'drop-after-commit or flaky-30, where 2s may be up to 10s, and 30 from 1 to 100.',
  );
});

describe.each(Object.entries<Operation>(OPERATIONS))('%s', (_, operation) => {
  const { method, path, body, success } = operation;
  const isWrite = method !== 'GET';
  test.each([
    ['service_unavailable', 'HTTP/1.1 503', false],
    ['drop', '', false],
    ['drop-after-commit', isWrite ? '' : `HTTP/1.1 ${success.status}`, isWrite],
  ])('with %s gets "%s", and writes: %p', async (failure, response, isWritten) => {
    const { key } = await keysFor(failure);
    const tom = { name: 'Tom', categoryId: 1n, status: 'pending' } as const;
    const { pet } = await staging.store.pets.createPet(tom);
    const before = await allPets();
    const target = `${method} /v1${path.replace('{petId}', `${pet.id}`)}`;
    const received = await send(key, target, JSON.stringify(body?.example));
    expect(received.slice(0, 12)).toBe(response);
    expect(!Bun.deepEquals(await allPets(), before)).toBe(isWritten);
  });
});

test('flaky fails for its share: half 503, half lost, and creations after the commit too', async () => {
  const { key: reading } = await keysFor('flaky-30');
  const reads = await Promise.all(Array.from({ length: 500 }, () => send(reading, 'GET /v1/pets')));
  const share = (start: string) =>
    reads.filter((response) => response.slice(0, 12) === start).length / reads.length;
  expect(share('HTTP/1.1 200')).toBeCloseTo(0.7, 1);
  expect(share('HTTP/1.1 503')).toBeCloseTo(0.15, 1);
  expect(share('')).toBeCloseTo(0.15, 1);
  const { key: creating } = await keysFor('flaky-100');
  const creations = await Promise.all(
    Array.from({ length: 40 }, (_, index) => sendPet(creating, 'Flaky', `${index}`)),
  );
  const lost = creations.filter((response) => response === '').length;
  const committed = (await allPets()).filter(({ name }) => name === 'Flaky').length;
  expect(committed).toBeGreaterThan(0);
  expect(lost).toBeGreaterThan(committed);
});
