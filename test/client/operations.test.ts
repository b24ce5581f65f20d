import { afterEach, beforeEach, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { INT64_MAX, INT64_MIN } from '#formats/int64.ts';
import { AnimalStore, ApiError, toJson } from '../../packages/client/src/animal-store.ts';
import { startService, type TestService } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import { virtualTimeStore } from './virtual-time.ts';

const BROWNOUT = '2030-01-01T00:00:00Z';

let service: TestService;
let store: AnimalStore;
beforeEach(async () => {
  const startsAtMs = Date.parse(BROWNOUT);
  service = await startService({
    // The API key must stay at the base address, wherever links point.
    listen: { publicUrl: 'https://elsewhere.example' },
    replace: { brownouts: [{ startsAtMs, endsAtMs: startsAtMs + 900_000 }] },
  });
  store = virtualTimeStore(service).store;
});
afterEach(() => service[Symbol.asyncDispose]());

async function addNumbered(count: number) {
  for (let i = 0; i < count; i++) {
    const status = i % 2 === 1 ? 'sold' : 'pending';
    await service.store.pets.createPet({ name: `Rex ${i}`, categoryId: 1n, status });
  }
}

/** The requests that `call` sends, as status and path. */
async function sentBy(call: () => Promise<unknown>) {
  const before = service.observed.length;
  await call();
  return service.observed
    .slice(before)
    .map(({ url, response }) => `${response.status} ${url.slice(service.url.length)}`);
}

test('listPets returns a page, with the after of the next page in next, or the page in nextPage', async () => {
  await addNumbered(5);
  const first = await store.listPets({ limit: 2, status: 'pending' });
  expect(first.pets.map(({ id }) => id)).toEqual([1n, 3n]);
  expect(first.next).toBe(3n);
  const second = await store.listPets({ limit: 2, status: 'pending', after: 3n });
  expect(second.pets.map(({ id }) => id)).toEqual([5n]);
  expect(second.next).toBeUndefined();
  expect(second.nextPage()).toBeUndefined();
  const aborted = { signal: AbortSignal.abort() };
  expect(await rejection(first.nextPage(aborted))).toBe(aborted.signal.reason);
  expect(await first.nextPage()).toEqual(second);
  expect(JSON.stringify(first)).toBe(toJson({ pets: first.pets, next: 3n }));
  expect((await store.listPets()).pets).toHaveLength(5);
});

test('pets requests pages of the maximum size from the base address, each when it is needed', async () => {
  await addNumbered(201);
  const seen: bigint[] = [];
  for await (const { id } of store.pets()) {
    seen.push(id);
    expect(service.observed).toHaveLength(Math.ceil(seen.length / 100));
  }
  expect(seen).toEqual(Array.from({ length: 201 }, (_, index) => BigInt(index + 1)));
});

test('an error has its request id, and nothing shows the API key', async () => {
  const apiKey = `${service.key.secret.slice(0, -1)}!`;
  const events: unknown[] = [];
  const log = (event: unknown) => events.push(event);
  const hooks = { onRequest: log, onResponse: log, onWait: log };
  const store = new AnimalStore({ baseUrl: service.url, apiKey, hooks });
  const error = await rejection(store.listPets(), ApiError);
  expect(error).toMatchObject({ code: 'invalid_api_key', status: 401, operation: 'listPets' });
  expect(error.requestId).toBe(service.observed[0]?.call.id as string);
  expect(events).toHaveLength(2);
  const shown = inspect([store, error, events], { depth: 10, showHidden: true });
  expect(shown).toContain('listPets');
  expect(shown + String(store) + JSON.stringify([store, error])).not.toContain(apiKey.slice(4, 20));
});

test('User-Agent names the client, its version and the runtime, and can be replaced', async () => {
  const { version } = await Bun.file('packages/client/package.json').json();
  await store.listPets();
  await store.listPets({ headers: { 'user-agent': 'zoo/1' } });
  const agents = service.observed.map(({ call }) => call.request.headers.get('user-agent'));
  expect(agents).toEqual([`animal-store-client/${version} (bun/${Bun.version})`, 'zoo/1']);
});

async function expectPetsFound() {
  for (const id of [1n, 2, 2n]) expect(await store.findPet(id)).toMatchObject({ id: BigInt(id) });
  // The list starts with the next pet, or is empty.
  for (const id of [INT64_MIN, INT64_MIN + 1n, -1n, 0n, 3n, INT64_MAX]) {
    expect(await store.findPet(id)).toBeUndefined();
  }
}

test('findPet uses getPet until its removal, then the list, and compares the id', async () => {
  await addNumbered(2);
  service.clock.set('2030-12-04T23:59:59Z');
  await expectPetsFound();
  expect(await sentBy(() => store.findPet(2n))).toEqual(['200 /pets/2']);
  expect(await sentBy(() => store.findPet(3n))).toEqual(['404 /pets/3']);
  service.clock.set('2030-12-05T00:00:00Z');
  const list = '200 /pets?limit=1&after=1';
  expect(await sentBy(() => store.findPet(2n))).toEqual(['410 /pets/2', list]);
  expect(await sentBy(() => store.findPet(2n))).toEqual([list]);
  expect(await sentBy(() => store.findPet(INT64_MIN))).toEqual(['200 /pets?limit=1']);
  await expectPetsFound();
});

test('findPet uses the list during a brownout, and getPet after it', async () => {
  await addNumbered(2);
  service.clock.set(BROWNOUT);
  const list = '200 /pets?limit=1&after=0';
  expect(await sentBy(() => store.findPet(1n))).toEqual(['410 /pets/1', list]);
  service.clock.advance(899);
  expect(await sentBy(() => store.findPet(1n))).toEqual([list]);
  await expectPetsFound();
  service.clock.advance(1);
  expect(await sentBy(() => store.findPet(1n))).toEqual(['200 /pets/1']);
});
