import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { AnimalStore, type ApiError, type Pet } from '../../packages/client/src/animal-store.ts';
import { PAGE_SIZE } from '../../src/contract/parameters.ts';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { Clock } from '../support/clock.ts';
import { rejection } from '../support/rejection.ts';
import { startService, type TestService } from '../support/service.ts';
import { virtualTimeStore } from './virtual-time-store.ts';

function storeOf({ url, key }: TestService): AnimalStore {
  return new AnimalStore({ baseUrl: url, apiKey: key.secret });
}

async function addNumbered(service: TestService, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const status = i % 2 === 1 ? 'sold' : 'pending';
    await service.store.pets.createPet({ name: `Rex ${i}`, categoryId: 1n, status });
  }
}

async function collect(pets: AsyncIterable<Pet>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of pets) names.push(name);
  return names;
}

describe('createPet', () => {
  test.each([INT64_MIN, INT64_MAX])('keeps categoryId %d exact', async (categoryId) => {
    await using service = await startService();
    const store = storeOf(service);
    const pet = await store.createPet({ name: 'Rex "the dog" 🐕', categoryId });
    expect(pet).toEqual({ id: 1n, name: 'Rex "the dog" 🐕', categoryId, status: 'available' });
    expect((await store.listPets()).pets).toEqual([pet]);
    expect(await store.getPet(pet.id)).toEqual(pet);
  });
});

describe('listPets', () => {
  test('returns a page, with the after of the next page in next', async () => {
    await using service = await startService();
    const store = storeOf(service);
    await addNumbered(service, 5);
    const first = await store.listPets({ limit: 2, status: 'pending' });
    expect(first.pets.map(({ id }) => id)).toEqual([1n, 3n]);
    expect(first.next).toBe(3n);
    const second = await store.listPets({ limit: 2, status: 'pending', after: 3n });
    expect(second.pets.map(({ id }) => id)).toEqual([5n]);
    expect(second.next).toBeUndefined();
    expect((await store.listPets()).pets).toHaveLength(5);
  });

  test('requests the next page from the base address, wherever the link points', async () => {
    await using service = await startService({
      listen: { publicUrl: 'https://elsewhere.example' },
    });
    const store = storeOf(service);
    await addNumbered(service, 3);
    expect(await collect(store.pets({ pageSize: 1 }))).toEqual(['Rex 0', 'Rex 1', 'Rex 2']);
  });
});

describe('pets', () => {
  test('requests pages of the maximum size, each only when it is needed', async () => {
    await using service = await startService();
    const store = storeOf(service);
    await addNumbered(service, 2 * PAGE_SIZE.maximum + 1);
    const before = service.observed.length;
    const seen: bigint[] = [];
    for await (const { id } of store.pets()) {
      seen.push(id);
      const pages = Math.ceil(seen.length / PAGE_SIZE.maximum);
      expect(service.observed.length - before).toBe(pages);
    }
    expect(seen).toEqual(Array.from({ length: 201 }, (_, index) => BigInt(index + 1)));
  });
});

describe('getPet', () => {
  test('is neither retried nor holds up other calls during a brownout', async () => {
    const clock = new Clock();
    const brownout = { startsAtMs: clock.now(), endsAtMs: clock.now() + 900_000 };
    const replace = { brownouts: [brownout] };
    await using service = await startService({ clock, replace });
    const store = storeOf(service);
    const error = (await rejection(store.getPet(1n))) as ApiError;
    expect(error).toMatchObject({ code: 'operation_removed', retryAfterSeconds: 900 });
    expect(error.message).toContain('is in a brownout until');
    expect((await store.listPets()).pets).toEqual([]);
    expect(service.observed.map(({ response }) => response.status)).toEqual([410, 200]);
  });
});

test('an error has its request id, and nothing shows the API key', async () => {
  await using service = await startService();
  const apiKey = `${service.key.secret.slice(0, -1)}!`;
  const events: unknown[] = [];
  const log = (event: unknown) => events.push(event);
  const hooks = { onRequest: log, onResponse: log, onWait: log };
  const store = new AnimalStore({ baseUrl: service.url, apiKey, hooks });
  const error = (await rejection(store.listPets())) as ApiError;
  expect(error).toMatchObject({ code: 'invalid_api_key', status: 401, operation: 'listPets' });
  expect(error.requestId).toBe(service.observed[0]?.call.id as string);
  expect(events).toHaveLength(2);
  const shown = inspect([store, error, events], { depth: 10, showHidden: true });
  expect(shown).toContain('listPets');
  expect(shown + String(store) + JSON.stringify([store, error])).not.toContain(apiKey.slice(4, 20));
});

test('User-Agent names the client, its version and the runtime, and can be replaced', async () => {
  await using service = await startService();
  const { version } = await Bun.file('packages/client/package.json').json();
  const store = storeOf(service);
  await store.listPets();
  await store.listPets({ headers: { 'user-agent': 'zoo/1' } });
  const agents = service.observed.map(({ call }) => call.request.headers.get('user-agent'));
  expect(agents).toEqual([`animal-store-client/${version} (bun/${Bun.version})`, 'zoo/1']);
});

const LAST_SECOND = '2030-12-04T23:59:59Z';
const REMOVAL = '2030-12-05T00:00:00Z';

async function withPets(service: TestService): Promise<{ store: AnimalStore; pets: Pet[] }> {
  const { store } = virtualTimeStore(service);
  const pets = [];
  for (const name of ['Rex', 'Tom']) pets.push(await store.createPet({ name, categoryId: 1 }));
  return { store, pets };
}

/** The requests that `call` sends, as status and path. */
async function sentBy({ observed, url }: TestService, call: () => Promise<unknown>) {
  const before = observed.length;
  await call();
  return observed
    .slice(before)
    .map(({ url: sent, response }) => `${response.status} ${sent.slice(url.length)}`);
}

async function expectAllFound(store: AnimalStore, pets: readonly Pet[]): Promise<void> {
  for (const pet of pets) expect(await store.findPet(pet.id)).toEqual(pet);
  expect(await store.findPet(Number(pets[0]?.id))).toEqual(pets[0] as Pet);
  // The list starts with the next pet, or is empty.
  for (const id of [INT64_MIN, INT64_MIN + 1n, -1n, 0n, 3n, INT64_MAX]) {
    expect(await store.findPet(id)).toBeUndefined();
  }
}

test('findPet uses getPet until its removal', async () => {
  await using service = await startService({ clock: new Clock(LAST_SECOND) });
  const { store, pets } = await withPets(service);
  await expectAllFound(store, pets);
  expect(await sentBy(service, () => store.findPet(2n))).toEqual(['200 /pets/2']);
  expect(await sentBy(service, () => store.findPet(3n))).toEqual(['404 /pets/3']);
});

test('findPet uses the list after the removal, and compares the id', async () => {
  await using service = await startService({ clock: new Clock(REMOVAL) });
  const { store, pets } = await withPets(service);
  const first = await sentBy(service, () => store.findPet(2n));
  expect(first).toEqual(['410 /pets/2', '200 /pets?limit=1&after=1']);
  expect(await sentBy(service, () => store.findPet(2n))).toEqual(['200 /pets?limit=1&after=1']);
  expect(await sentBy(service, () => store.findPet(INT64_MIN))).toEqual(['200 /pets?limit=1']);
  await expectAllFound(store, pets);
});

test('findPet uses the list during a brownout, and getPet after it', async () => {
  const clock = new Clock();
  const brownout = { startsAtMs: clock.now(), endsAtMs: clock.now() + 900_000 };
  const replace = { brownouts: [brownout] };
  await using service = await startService({ clock, replace });
  const { store, pets } = await withPets(service);
  const list = '200 /pets?limit=1&after=0';
  expect(await sentBy(service, () => store.findPet(1n))).toEqual(['410 /pets/1', list]);
  clock.advance(899);
  expect(await sentBy(service, () => store.findPet(1n))).toEqual([list]);
  await expectAllFound(store, pets);
  clock.advance(1);
  expect(await sentBy(service, () => store.findPet(1n))).toEqual(['200 /pets/1']);
});
