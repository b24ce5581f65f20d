import { expect, test } from 'bun:test';
import type { ApiError, UnexpectedResponseError } from '../../packages/client/src/animal-store.ts';
import { REX, startServiceForAll } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import { limitedStore, respond, virtualTimeStore } from './virtual-time-store.ts';

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
  const unexpected = (await rejection(store.listPets())) as UnexpectedResponseError;
  expect(unexpected.response.status).toBe(418);
  const missing = (await rejection(settled(store.getPet(99n)))) as ApiError;
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

test('quota is the window that the newest response described', async () => {
  for (const pace of [true, false]) {
    const { store } = await limitedStore(service, { perMinute: 3 }, { pace });
    expect(store.quota).toBeUndefined();
    await store.listPets();
    const { response } = await store.listPets().withResponse();
    const resetAt = new Date(Number(response.headers.get('x-ratelimit-reset')) * 1000);
    expect(store.quota).toEqual({ limit: 3, remaining: 1, resetAt });
    service.clock.nowMs = resetAt.getTime() - 1;
    expect(store.quota).toBeDefined();
    // The service's clock is known to the second.
    service.clock.advance(1.001);
    expect(store.quota).toBeUndefined();
  }
});
