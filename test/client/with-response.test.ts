import { expect, test } from 'bun:test';
import { ApiError, UnexpectedResponseError } from '../../packages/client/src/animal-store.ts';
import { REX, startServiceForAll } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import { limitedStore, respond, virtualTimeStore } from './virtual-time.ts';

const service = await startServiceForAll();

test('withResponse has the result with its status, headers, request id and address', async () => {
  const { store } = virtualTimeStore(service);
  const created = store.createPet(REX);
  const { data, response } = await created.withResponse();
  expect(await created).toEqual(data);
  expect(response.status).toBe(201);
  expect(response.headers.get('location')).toBe(`${service.url}/pets/${data.id}`);
  expect(response.requestId).toBe(service.observed.at(-1)?.call.id as string);
  const page = await store.listPets({ limit: 1 }).withResponse();
  expect(page.data.pets).toEqual([data]);
  expect(page.response.url).toBe(`${service.url}/pets?limit=1`);
});

test('an error has the response too, unless nothing was sent', async () => {
  const teapot = respond(418, 'a teapot');
  const { store, settled } = await limitedStore(service, { perDay: 1 }, {}, [teapot]);
  const unexpected = await rejection(store.listPets(), UnexpectedResponseError);
  expect(unexpected.response.status).toBe(418);
  const missing = await rejection(settled(store.getPet(99n)), ApiError);
  expect(missing.response?.headers.get('x-ratelimit-limit')).toBe('1');
  const unsent = { requestId: undefined, response: undefined };
  expect(await rejection(store.listPets())).toMatchObject({ code: 'rate_limit_day', ...unsent });
});

test('a rejection that withResponse passes on is not also unhandled', async () => {
  // The test runner fails a test with an unhandled rejection.
  const { store } = virtualTimeStore(service);
  const error = await rejection(store.getPet(99n).withResponse());
  expect(error).toMatchObject({ code: 'pet_not_found' });
  await new Promise(setImmediate);
});

test('quota is the window that the newest response described, and both windows', async () => {
  for (const [pace, perMinute] of [
    [true, 3],
    [false, 4],
  ] as const) {
    const { store } = await limitedStore(service, { perMinute }, { pace });
    expect(store.quota).toBeUndefined();
    await store.listPets();
    const { response } = await store.listPets().withResponse();
    const resetAt = new Date(Number(response.headers.get('x-ratelimit-reset')) * 1000);
    const minute = { limit: perMinute, remaining: perMinute - 2, resetAt };
    const midnight = new Date('2026-11-16T00:00:00Z');
    const day = { limit: 1_000_000, remaining: 999_998, resetAt: midnight };
    expect(store.quota).toEqual({ ...minute, minute, day });
    service.clock.nowMs = resetAt.getTime() - 1;
    expect(store.quota).toBeDefined();
    // The service's clock is known to the second.
    service.clock.advance(1.001);
    expect(store.quota).toBeUndefined();
  }
  const { store } = await limitedStore(service, { perDay: 3 });
  await store.listPets();
  service.clock.advance(61);
  const day = { remaining: 2, limit: 3 };
  expect(store.quota).toMatchObject({ ...day, minute: undefined, day });
});

test.each([
  ['"minute";r=0;t=1;pk=:YQ==:, "day";x;t=1;r=5', 'minute'],
  // This is from another draft.
  ['limit=60, remaining=0, reset=1', 'day'],
])('with RateLimit: %s, the client predicts a refusal by the %s', async (left, window) => {
  service.clock.set('2026-11-15T23:59:59Z');
  const headers = {
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': `${Date.UTC(2026, 10, 16) / 1000}`,
    'RateLimit-Policy': '"minute";q=60;w=60, "day";q=9;w=86400',
    RateLimit: left,
  };
  const behaviors = [respond(200, '[]', headers)];
  const { store } = virtualTimeStore(service, { maxRetryWaitSeconds: 0 }, behaviors);
  await store.listPets();
  expect(await rejection(store.listPets())).toHaveProperty('code', `rate_limit_${window}`);
});
