import { expect, test } from 'bun:test';
import type { Revision } from '#domain/backend.ts';
import type { Pet, PetQuery, PetReader } from '#domain/pet.ts';
import { cachedPetReader } from '#stores/cached/cached-pet-reader.ts';
import { Clock } from '../../support/time.ts';

const REX: Pet = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' };
const TOM: Pet = { id: 2n, name: 'Tom', categoryId: 2n, status: 'sold' };

interface CacheOptions {
  readonly revision?: Revision;
  /** The number of the revision that grows during a read. */
  readonly growing?: 'changes' | 'writes';
}

/** A cache in front of a store that records reads. */
function newCache({ revision, growing }: CacheOptions = {}) {
  const pets = new Map([[1n, REX]]);
  const reads: (bigint | PetQuery)[] = [];
  const state = { changes: 1, writes: 1 };
  const record = (read: bigint | PetQuery) => {
    reads.push(read);
    if (growing) state[growing] = 2;
  };
  const store: PetReader = {
    getPet(id) {
      record(id);
      return pets.get(id);
    },
    listPets(query) {
      record(query);
      return [...pets.values()].slice(0, query.limit);
    },
  };
  const movable = { changes: () => state.changes, writes: () => state.writes, expire() {} };
  return { pets, reads, store, state, cached: cachedPetReader(store, revision ?? movable) };
}

test('a pet is not read again before an existing pet changes, unless it does not exist', async () => {
  const { pets, reads, state, cached } = newCache();
  for (let i = 0; i < 3; i++) expect(await cached.getPet(1n)).toBe(REX);
  state.writes++;
  expect(await cached.getPet(1n)).toBe(REX);
  expect(reads).toEqual([1n]);
  pets.delete(1n);
  state.changes++;
  expect(await cached.getPet(1n)).toBeUndefined();
  pets.set(1n, REX);
  expect(await cached.getPet(1n)).toBe(REX);
});

test('a pet or a full page is cached for half a second when the store cannot say whether it changed', async () => {
  const clock = new Clock();
  const { reads, cached } = newCache({
    revision: { changes: () => Math.floor(clock.now() / 500), expire() {} },
  });
  const [full, last] = [{ limit: 1 }, { limit: 2 }];
  const readAll = async () => {
    await cached.getPet(1n);
    for (const query of [full, last]) await cached.listPets(query);
    return reads.splice(0);
  };
  expect(await readAll()).toEqual([1n, full, last]);
  clock.advance(0.499);
  expect(await readAll()).toEqual([last]);
  clock.advance(0.001);
  expect(await readAll()).toEqual([1n, full, last]);
});

test('a value that was read during a change or write is not kept', async () => {
  const { reads, cached } = newCache({ growing: 'changes' });
  for (let i = 0; i < 2; i++) await cached.getPet(1n);
  expect(reads).toHaveLength(2);
  for (const [growing, limit] of [
    ['changes', 1],
    ['writes', 9],
  ] as const) {
    const { reads, cached } = newCache({ growing });
    for (let i = 0; i < 2; i++) await cached.listPets({ limit });
    expect(reads).toHaveLength(2);
  }
});

test('a page is not read again before the next write', async () => {
  const { pets, reads, state, cached } = newCache();
  for (let i = 0; i < 3; i++) expect(await cached.listPets({ limit: 9 })).toEqual([REX]);
  expect(reads).toEqual([{ limit: 9 }]);
  pets.set(2n, TOM);
  state.writes++;
  expect(await cached.listPets({ limit: 9 })).toEqual([REX, TOM]);
});

test('a full page is not read again before an existing pet changes', async () => {
  const { pets, reads, state, cached } = newCache();
  for (; state.writes < 4; state.writes++) {
    expect(await cached.listPets({ limit: 1 })).toEqual([REX]);
  }
  expect(reads).toHaveLength(1);
  pets.set(1n, TOM);
  state.changes++;
  expect(await cached.listPets({ limit: 1 })).toEqual([TOM]);
});

test('a page is cached for each limit, status and start', async () => {
  const { reads, cached } = newCache();
  const queries: PetQuery[] = [
    { limit: 1 },
    { limit: 11 },
    { limit: 1, after: 1n },
    { limit: 1, status: 'sold' },
    { limit: 1, after: 1n, status: 'sold' },
  ];
  for (const query of [...queries, ...queries]) await cached.listPets(query);
  expect(reads).toEqual(queries);
});

test('a page with more than 10,000 characters of names is not cached', async () => {
  const { pets, reads, state, cached } = newCache();
  for (let id = 1n; id <= 40n; id++) pets.set(id, { ...REX, id, name: 'R'.repeat(250) });
  const readTwice = async () => {
    for (let i = 0; i < 2; i++) await cached.listPets({ limit: 40 });
    return reads.splice(0).length;
  };
  expect(await readTwice()).toBe(1);
  state.changes++;
  pets.set(40n, { ...REX, name: 'R'.repeat(251) });
  expect(await readTwice()).toBe(2);
});
