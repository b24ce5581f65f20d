import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Store } from '../../src/domain/backend.ts';
import type { IdempotencyKey } from '../../src/domain/idempotency-key.ts';
import { INT64_MIN } from '../../src/domain/int64.ts';
import { type NewPet, PET_STATUSES, type Pet, type PetQuery } from '../../src/domain/pet.ts';
import { openStore } from '../support/open-store.ts';
import { anyNewPet } from '../support/pets.ts';
import { FREE, REX, testDatabases } from './databases.ts';

const DAY_MS = 86_400_000;

describe.each(testDatabases())('pets in %s', (_, database) => {
  let store: Store;
  let accountId: number;

  beforeAll(async () => {
    store = await openStore(await database.create(), 10);
    ({ id: accountId } = await store.accounts.createAccount({ name: 'suite', ...FREE }));
  });
  afterAll(() => store[Symbol.asyncDispose]());

  async function create(pet: Partial<NewPet> = {}): Promise<Pet> {
    return (await store.pets.createPet({ ...REX, ...pet })).pet;
  }

  function once(key: string, offsetMs = 0): IdempotencyKey {
    return { accountId, key, fingerprint: 'f', offsetMs };
  }

  test('a pet is returned as it was created', async () => {
    await fc.assert(
      fc.asyncProperty(anyNewPet, async (newPet) => {
        const { pet, replayed } = await store.pets.createPet(newPet);
        expect(replayed).toBe(false);
        expect(pet).toEqual({ ...newPet, id: pet.id });
        expect(await store.pets.getPet(pet.id)).toEqual(pet);
        expect(await store.pets.listPets({ after: pet.id - 1n, limit: 1 })).toEqual([pet]);
      }),
      { numRuns: 25 },
    );
  });

  test('pets created at the same time have different ids, and a later pet has a higher one', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `together ${index}`);
    const created = await Promise.all(names.map((name) => create({ name })));
    expect(created.map(({ name }) => name)).toEqual(names);
    for (const pet of created) expect(await store.pets.getPet(pet.id)).toEqual(pet);
    const { id: next } = await create();
    expect(created.every(({ id }) => id < next)).toBe(true);
  });

  test('a list equals a filter over all pets', async () => {
    await Promise.all(PET_STATUSES.flatMap((status) => [create({ status }), create({ status })]));
    const all = await store.pets.listPets({ limit: 1_000_000 });
    const anyQuery: fc.Arbitrary<PetQuery> = fc.record({
      status: fc.option(fc.constantFrom(...PET_STATUSES), { nil: undefined }),
      after: fc.option(fc.bigInt({ min: -1n, max: BigInt(all.length) + 2n }), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(anyQuery, async ({ status, after = INT64_MIN, limit }) => {
        const expected = all
          .filter((pet) => pet.id > after && (status === undefined || pet.status === status))
          .slice(0, limit);
        expect(await store.pets.listPets({ status, after, limit })).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test('two accounts can use the same idempotency key', async () => {
    const other = await store.accounts.createAccount({ name: 'other', ...FREE });
    await store.pets.createPet(REX, once('shared'));
    const mine = await store.pets.createPet(REX, { ...once('shared'), accountId: other.id });
    expect(mine.replayed).toBe(false);
  });

  test('an idempotency key is still known after a clock that was days ahead is corrected', async () => {
    const { pet } = await store.pets.createPet(REX, once('ahead', 3 * DAY_MS));
    await store.pets.createPet(REX, once('sweeps expired keys'));
    expect(await store.pets.createPet(REX, once('ahead'))).toEqual({ pet, replayed: true });
  });
});
