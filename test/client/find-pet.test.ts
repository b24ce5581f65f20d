import { expect, test } from 'bun:test';
import type { AnimalStore, Pet } from '../../packages/client/src/animal-store.ts';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { Clock } from '../support/clock.ts';
import { startService, type TestService } from '../support/service.ts';
import { virtualTimeStore } from './virtual-time-store.ts';

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
