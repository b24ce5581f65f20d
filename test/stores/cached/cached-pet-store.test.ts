import { describe, expect, test } from 'bun:test';
import { revisionByTime } from '../../../src/domain/backend.ts';
import type { Pet, PetQuery, PetStore } from '../../../src/domain/pet.ts';
import { cachedPetStore } from '../../../src/stores/cached/cached-pet-store.ts';
import { Clock } from '../../support/clock.ts';

const REX: Pet = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' };
const TOM: Pet = { id: 2n, name: 'Tom', categoryId: 2n, status: 'sold' };

/** A store that records reads. */
function recordingStore() {
  const pets = new Map([[1n, REX]]);
  const reads: (bigint | PetQuery)[] = [];
  const store: PetStore = {
    getPet(id) {
      reads.push(id);
      return pets.get(id);
    },
    listPets(query) {
      reads.push(query);
      return [...pets.values()].slice(0, query.limit);
    },
    async createPet(pet) {
      pets.set(2n, { ...pet, id: 2n });
      return { pet: { ...pet, id: 2n }, replayed: false };
    },
  };
  return { pets, reads, store };
}

function movableRevision() {
  const state = { changes: 1, writes: 1 };
  const revision = { changes: () => state.changes, writes: () => state.writes, expire() {} };
  return { state, revision };
}

describe('a pet', () => {
  test('is read once, until an existing pet changes, and again if it does not exist', async () => {
    const { pets, reads, store } = recordingStore();
    const { state, revision } = movableRevision();
    const cached = cachedPetStore(store, revision);
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

  test('or a full page is cached for half a second when the store does not report changes', async () => {
    const { reads, store } = recordingStore();
    const clock = new Clock();
    const cached = cachedPetStore(store, revisionByTime(clock.now, 500));
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
});

test('a value that was read during a change or write is not kept', async () => {
  const isKept = async (kind: 'changes' | 'writes', read: (store: PetStore) => unknown) => {
    const { state, revision } = movableRevision();
    const { reads, store } = recordingStore();
    const during = <T>(value: T): T => {
      state[kind] = 2;
      return value;
    };
    const cached = cachedPetStore(
      {
        ...store,
        getPet: (id) => during(store.getPet(id)),
        listPets: (query) => during(store.listPets(query)),
      },
      revision,
    );
    await read(cached);
    await read(cached);
    return reads.length === 1;
  };
  expect(await isKept('changes', (store) => store.getPet(1n))).toBeFalse();
  expect(await isKept('changes', (store) => store.listPets({ limit: 1 }))).toBeFalse();
  expect(await isKept('writes', (store) => store.listPets({ limit: 9 }))).toBeFalse();
});

test('after a write that changes pets, nothing that was read before it is served', async () => {
  const { pets, store } = recordingStore();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const updating = {
    ...store,
    async getPet(id: bigint) {
      const pet = pets.get(id);
      await gate;
      return pet;
    },
    async updatePet(pet: Pet) {
      pets.set(pet.id, pet);
    },
  };
  const cached = cachedPetStore(
    updating,
    revisionByTime(() => 0, 500),
  ) as typeof updating;
  expect(await cached.listPets({ limit: 1 })).toEqual([REX]);
  const underWay = cached.getPet(1n);
  const sold = { ...REX, status: 'sold' } as const;
  await cached.updatePet(sold);
  open();
  expect(await underWay).toEqual(REX);
  expect(await cached.getPet(1n)).toEqual(sold);
  expect(await cached.listPets({ limit: 1 })).toEqual([sold]);
});

describe('a page', () => {
  test('is read once, until the next write', async () => {
    const { pets, reads, store } = recordingStore();
    const { state, revision } = movableRevision();
    const cached = cachedPetStore(store, revision);
    for (let i = 0; i < 3; i++) expect(await cached.listPets({ limit: 9 })).toEqual([REX]);
    expect(reads).toEqual([{ limit: 9 }]);
    pets.set(2n, TOM);
    state.writes++;
    expect(await cached.listPets({ limit: 9 })).toEqual([REX, TOM]);
  });

  test('that is full is read once, until an existing pet changes', async () => {
    const { pets, reads, store } = recordingStore();
    const { state, revision } = movableRevision();
    const cached = cachedPetStore(store, revision);
    for (; state.writes < 4; state.writes++) {
      expect(await cached.listPets({ limit: 1 })).toEqual([REX]);
    }
    expect(reads).toHaveLength(1);
    pets.set(1n, TOM);
    state.changes++;
    expect(await cached.listPets({ limit: 1 })).toEqual([TOM]);
  });

  test('is cached for each limit, status and start', async () => {
    const { reads, store } = recordingStore();
    const cached = cachedPetStore(store, movableRevision().revision);
    const queries: PetQuery[] = [
      { limit: 1 },
      { limit: 11 },
      { limit: 1, after: 1n },
      { limit: 1, after: 11n },
      { limit: 1, status: 'sold' },
      { limit: 1, after: 1n, status: 'sold' },
    ];
    for (const query of [...queries, ...queries]) await cached.listPets(query);
    expect(reads).toEqual(queries);
  });

  test('with too many long names is not cached', async () => {
    const { pets, reads, store } = recordingStore();
    for (let id = 1n; id <= 40n; id++) pets.set(id, { ...REX, id, name: 'R'.repeat(255) });
    const cached = cachedPetStore(store, movableRevision().revision);
    await cached.listPets({ limit: 40 });
    await cached.listPets({ limit: 40 });
    expect(reads).toHaveLength(2);
  });
});
