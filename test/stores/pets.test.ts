import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { StoreUnavailableError } from '#domain/error.ts';
import { type NewPet, PET_STATUSES, type PetQuery } from '#domain/pet.ts';
import { INT64_MIN } from '#formats/int64.ts';
import { rejection } from '../support/time.ts';
import { newPets } from '../support/values.ts';
import { addAccount, once, openStores, REX } from './databases.ts';

const DAY_MS = 86_400_000;

describe.each(await openStores())('pets in %s', (_, { store }) => {
  let accountId: number;

  beforeAll(async () => {
    ({ id: accountId } = await addAccount(store, 'suite'));
  });

  const create = (key: string, offsetMs?: number) =>
    store.pets.createPet(REX, once(accountId, key, offsetMs));

  test('pets created at the same time are returned as they were created', async () => {
    const drawn = newPets(200);
    const created = await Promise.all(drawn.map((newPet) => store.pets.createPet(newPet)));
    expect(new Set(created.map(({ pet }) => pet.id)).size).toBe(200);
    for (const [index, { pet }] of created.entries()) {
      expect(pet).toEqual({ id: pet.id, ...(drawn[index] as NewPet) });
      expect(await store.pets.getPet(pet.id)).toEqual(pet);
      expect(await store.pets.listPets({ after: pet.id - 1n, limit: 1 })).toEqual([pet]);
    }
  });

  test('a list equals a filter over all pets', async () => {
    for (const status of [...PET_STATUSES, ...PET_STATUSES]) {
      await store.pets.createPet({ ...REX, status });
    }
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

  test('a pet that breaks a rule of the database is not a failure of the database', async () => {
    const wrong = { ...REX, status: 'lost' } as unknown as NewPet;
    expect(await rejection(store.pets.createPet(wrong))).not.toBeInstanceOf(StoreUnavailableError);
  });

  test('two accounts can use the same idempotency key', async () => {
    const other = await addAccount(store, 'other');
    await create('shared');
    expect((await store.pets.createPet(REX, once(other.id, 'shared'))).replayed).toBe(false);
  });

  test('creations at the same time with one idempotency key add one pet, which all of them get', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => create('at once')));
    expect(new Set(created.map(({ pet }) => pet.id)).size).toBe(1);
    expect(created.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  test('an idempotency key is still known after a clock that was days ahead is corrected', async () => {
    const { pet } = await create('ahead', 3 * DAY_MS);
    const now = await create('sweeps expired keys');
    expect(await create('ahead')).toEqual({ pet, replayed: true });
    // A clock that is ahead expires no key of others, not even in the same batch.
    const together = [create('far ahead', 30 * DAY_MS), create('sweeps expired keys')];
    const [, again] = await Promise.all(together);
    expect(again).toEqual({ ...now, replayed: true });
  });
});
