import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Store } from '../../src/domain/backend.ts';
import { IdempotencyKeyReusedError } from '../../src/domain/error.ts';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import {
  type IdempotencyKey,
  type NewPet,
  PET_STATUSES,
  type Pet,
  type PetQuery,
} from '../../src/domain/pet.ts';
import { rejection } from '../support/rejection.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const anyNewPet: fc.Arbitrary<NewPet> = fc.record({
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  status: fc.constantFrom(...PET_STATUSES),
});

/** The rules for every store of pets. */
export function petStoreSuite(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    let accountId: number;

    beforeAll(async () => {
      store = await open();
      const limits = { perMinute: 60, perDay: 1_000 };
      const account = { name: 'suite', plan: 'free', limits, nowMs: NOW_MS } as const;
      ({ id: accountId } = await store.accounts.createAccount(account));
    });
    afterAll(() => store[Symbol.asyncDispose]());

    async function create(pet: Partial<NewPet> = {}): Promise<Pet> {
      const newPet = { name: 'Rex', categoryId: 1n, status: 'available', ...pet } as const;
      return (await store.pets.createPet(newPet)).pet;
    }

    function once(key: string, changes: Partial<IdempotencyKey> = {}): IdempotencyKey {
      return { accountId, key, fingerprint: 'f', offsetMs: 0, ...changes };
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
        { numRuns: 50 },
      );
    });

    test('pets created at the same time are each found by their id', async () => {
      const names = Array.from({ length: 200 }, (_, index) => `together ${index}`);
      const created = await Promise.all(names.map((name) => create({ name })));
      expect(created.map(({ name }) => name)).toEqual(names);
      for (const pet of created) expect(await store.pets.getPet(pet.id)).toEqual(pet);
    });

    test('ids are unique, and a later pet has a higher id', async () => {
      const together = await Promise.all(Array.from({ length: 100 }, () => create()));
      const ids = together.map(({ id }) => id);
      expect(new Set(ids).size).toBe(100);
      const { id: next } = await create();
      expect(ids.every((id) => id < next)).toBe(true);
    });

    test('an id that was never assigned finds no pet', async () => {
      expect(await store.pets.getPet(INT64_MAX)).toBeUndefined();
      expect(await store.pets.getPet(INT64_MIN)).toBeUndefined();
      expect(await store.pets.getPet(0n)).toBeUndefined();
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
      );
    });

    test('a creation repeated with its idempotency key returns the same pet', async () => {
      const newPet = { name: 'Once', categoryId: 1n, status: 'sold' } as const;
      const first = await store.pets.createPet(newPet, once('same'));
      const again = await store.pets.createPet(newPet, once('same', { offsetMs: 23 * HOUR_MS }));
      expect(first.replayed).toBe(false);
      expect(again).toEqual({ pet: first.pet, replayed: true });
    });

    test('an idempotency key with another fingerprint is refused and creates nothing', async () => {
      const newPet = { name: 'Mix-up', categoryId: 1n, status: 'sold' } as const;
      const { pet } = await store.pets.createPet(newPet, once('mixed'));
      const other = once('mixed', { fingerprint: 'other', offsetMs: 23 * HOUR_MS });
      const reuse = store.pets.createPet(newPet, other);
      expect(await rejection(reuse)).toBeInstanceOf(IdempotencyKeyReusedError);
      expect(await store.pets.listPets({ after: pet.id, limit: 1 })).toEqual([]);
    });

    test('two accounts can use the same idempotency key', async () => {
      const limits = { perMinute: 60, perDay: 1_000 };
      const other = await store.accounts.createAccount({
        name: 'other',
        plan: 'free',
        limits,
        nowMs: NOW_MS,
      });
      const newPet = { name: 'Mine', categoryId: 1n, status: 'sold' } as const;
      await store.pets.createPet(newPet, once('shared'));
      const { replayed } = await store.pets.createPet(
        newPet,
        once('shared', { accountId: other.id }),
      );
      expect(replayed).toBe(false);
    });

    test('an idempotency key can be used again after a day', async () => {
      const newPet = { name: 'Later', categoryId: 1n, status: 'sold' } as const;
      const first = await store.pets.createPet(newPet, once('aged'));
      const late = once('aged', { offsetMs: DAY_MS, fingerprint: 'other' });
      const second = await store.pets.createPet(newPet, late);
      expect(second.replayed).toBe(false);
      expect(second.pet.id).not.toBe(first.pet.id);
    });

    test('an idempotency key is still known after a clock that was days ahead is corrected', async () => {
      const newPet = { name: 'Ahead', categoryId: 1n, status: 'sold' } as const;
      const ahead = once('ahead', { offsetMs: 3 * DAY_MS });
      const { pet } = await store.pets.createPet(newPet, ahead);
      await store.pets.createPet(newPet, once('sweeps expired keys'));
      const again = await store.pets.createPet(newPet, once('ahead'));
      expect(again).toEqual({ pet, replayed: true });
    });

    test('a test time expires no idempotency keys of others, not even in the same batch', async () => {
      const newPet = { name: 'Kept', categoryId: 1n, status: 'sold' } as const;
      const { pet } = await store.pets.createPet(newPet, once('kept'));
      const keys = Array.from({ length: 20 }, (_, index) => `far ${index}`);
      const [again] = await Promise.all([
        store.pets.createPet(newPet, once('kept')),
        ...keys.map((key) => store.pets.createPet(newPet, once(key, { offsetMs: 3 * DAY_MS }))),
      ]);
      expect(again).toEqual({ pet, replayed: true });
      expect(await store.pets.createPet(newPet, once('kept'))).toEqual({ pet, replayed: true });
    });

    test('200 idempotency keys, each sent 8 times at once, create 200 pets', async () => {
      const newPet = { name: 'Eight', categoryId: 1n, status: 'sold' } as const;
      const sent = Array.from({ length: 1_600 }, (_, index) =>
        store.pets.createPet(newPet, once(`eight-${index % 200}`)),
      );
      const created = await Promise.all(sent);
      expect(new Set(created.map(({ pet }) => pet.id)).size).toBe(200);
      expect(created.filter(({ replayed }) => !replayed)).toHaveLength(200);
    });

    test('an open store is ready', async () => {
      expect(await store.isReady()).toBe(true);
    });
  });
}
