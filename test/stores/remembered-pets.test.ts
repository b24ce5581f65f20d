import { describe, expect, test } from 'bun:test';
import {
  type Pet,
  type PetQuery,
  type PetStore,
  petsToJson,
  petToJson,
} from '../../src/domain/pet.ts';
import { everySecond } from '../../src/domain/revision.ts';
import { RememberedPets } from '../../src/memory/remembered-pets.ts';
import { Clock } from '../support/clock.ts';

const REX: Pet = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' };
const TOM: Pet = { id: 2n, name: 'Tom', categoryId: 2n, status: 'sold' };

/** Counts how often the store behind is asked. */
function watchedStore() {
  const animals = new Map([[1n, REX]]);
  const asked: (bigint | PetQuery)[] = [];
  const store: PetStore = {
    getPet(id) {
      asked.push(id);
      return animals.get(id);
    },
    listPets(query) {
      asked.push(query);
      return [...animals.values()].slice(0, query.limit);
    },
    async createPet(pet) {
      animals.set(2n, { ...pet, id: 2n });
      return { pet: { ...pet, id: 2n }, replayed: false };
    },
  };
  return { animals, asked, store };
}

/** Stands still until it is told otherwise; then it notices what was written at the next look. */
function watchedRevision() {
  const state = { changes: 1, writes: 1, expired: 0 };
  const revision = {
    changes: () => state.changes,
    writes: () => state.writes,
    expire: () => {
      state.expired++;
      state.writes++;
    },
  };
  return { state, revision };
}

describe('an animal', () => {
  test('is read once, until something changes', async () => {
    const { animals, asked, store } = watchedStore();
    const { state, revision } = watchedRevision();
    const pets = new RememberedPets(store, revision);
    for (let i = 0; i < 3; i++) expect(await pets.getPet('1')).toBe(petToJson(REX));
    state.writes++;
    expect(await pets.getPet('1')).toBe(petToJson(REX));
    expect(asked).toEqual([1n]);
    animals.delete(1n);
    state.changes++;
    expect(await pets.getPet('1')).toBeUndefined();
  });

  test('that does not exist is asked for each time', async () => {
    const { asked, store } = watchedStore();
    const pets = new RememberedPets(store, watchedRevision().revision);
    await pets.getPet('7');
    await pets.getPet('7');
    expect(asked).toEqual([7n, 7n]);
  });

  test('is found by its identifier as it is written, and nothing is by what is none', async () => {
    const { asked, store } = watchedStore();
    const pets = new RememberedPets(store, watchedRevision().revision);
    await pets.getPet('1');
    for (const text of ['01', '+1', '1.0', ' 1', '', 'one', '9223372036854775808']) {
      expect(await pets.getPet(text)).toBeUndefined();
    }
    expect(asked).toEqual([1n]);
  });

  test('is remembered for a second at most of a store that tells nothing', async () => {
    const { asked, store } = watchedStore();
    const clock = new Clock();
    const pets = new RememberedPets(store, everySecond(clock.now));
    await pets.getPet('1');
    clock.advance(0.5);
    await pets.getPet('1');
    expect(asked).toEqual([1n]);
    clock.advance(0.5);
    await pets.getPet('1');
    expect(asked).toEqual([1n, 1n]);
  });
});

describe('a page', () => {
  test('is read once, with one animal more than it has, until something is written', async () => {
    const { animals, asked, store } = watchedStore();
    const { state, revision } = watchedRevision();
    const pets = new RememberedPets(store, revision);
    const last = { json: petsToJson([REX]), lastId: undefined };
    for (let i = 0; i < 3; i++) expect(await pets.listPets({ limit: 1 })).toEqual(last);
    expect(asked).toEqual([{ limit: 2 }]);
    animals.set(2n, TOM);
    state.writes++;
    expect(await pets.listPets({ limit: 1 })).toEqual({ json: petsToJson([REX]), lastId: 1n });
    expect(asked).toHaveLength(2);
  });

  test('is another with another limit, status or start', async () => {
    const { asked, store } = watchedStore();
    const pets = new RememberedPets(store, watchedRevision().revision);
    const queries: PetQuery[] = [
      { limit: 1 },
      { limit: 11 },
      { limit: 1, after: 1n },
      { limit: 1, after: 11n },
      { limit: 1, status: 'sold' },
      { limit: 1, status: 'available' },
      { limit: 1, after: 1n, status: 'sold' },
    ];
    for (const query of queries) await pets.listPets(query);
    expect(asked).toEqual(queries.map((query) => ({ ...query, limit: query.limit + 1 })));
  });

  test('shows the animal that was just created', async () => {
    const { store } = watchedStore();
    const { state, revision } = watchedRevision();
    const pets = new RememberedPets(store, revision);
    await pets.listPets({ limit: 9 });
    const { pet } = await pets.createPet(TOM);
    expect(pet.id).toBe(2n);
    expect(state.expired).toBe(1);
    expect(await pets.listPets({ limit: 9 })).toMatchObject({ json: petsToJson([REX, TOM]) });
  });

  test('of great length is not remembered', async () => {
    const { animals, asked, store } = watchedStore();
    animals.set(1n, { ...REX, name: 'R'.repeat(20_000) });
    const pets = new RememberedPets(store, watchedRevision().revision);
    await pets.listPets({ limit: 1 });
    await pets.listPets({ limit: 1 });
    expect(asked).toHaveLength(2);
  });

  test('is read each time from a store that does not tell of writes', async () => {
    const { asked, store } = watchedStore();
    const pets = new RememberedPets(store, everySecond(new Clock().now));
    await pets.listPets({ limit: 1 });
    await pets.listPets({ limit: 1 });
    expect(asked).toHaveLength(2);
  });
});
