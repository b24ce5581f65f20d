import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { OperatorStore, Store } from '#domain/backend.ts';
import { HOUR_MS } from '#domain/durations.ts';
import type { ListedPet, OperatorPets, PetFilter } from '#domain/operator/operator-pets.ts';
import { RECORD_FIELDS } from '#domain/operator/transfer.ts';
import { PET_STATUSES, petToJson } from '#domain/pet.ts';
import { Pool } from '#stores/postgres/pool.ts';
import { postgresSql } from '#stores/postgres/sql.ts';
import { auditReader, changer } from '#stores/sql/audit.ts';
import { sqlOperatorPets } from '#stores/sql/operator-pets.ts';
import { inSlice, insert, type Sql, type SqlDatabase } from '#stores/sql/sql.ts';
import { openDatabase } from '#stores/sqlite/database.ts';
import { sqliteSql } from '#stores/sqlite/sql.ts';
import { backend, createKey, createStore, openStore, TEST_ORIGIN } from '../support/store.ts';
import { eventually, rejection, succeeds, WAIT_TIMEOUT_MS } from '../support/time.ts';
import { newPets } from '../support/values.ts';
import { addAccount, messageOf, NOW_MS, once, openStores, pathOf, REX } from './databases.ts';

test('slices of reading take turns', async () => {
  let running = 0;
  const slice = async () => {
    running++;
    await null;
    return running--;
  };
  expect(await Promise.all([inSlice('read', slice), inSlice('read', slice)])).toEqual([1, 1]);
});

async function* batches<T>(...all: readonly T[]): AsyncIterable<T> {
  yield* all;
}

describe.each(await openStores())(
  'pets of operators in %s',
  (_, { store, url, isFile, create }) => {
    let commands: OperatorStore & AsyncDisposable;
    let pets: OperatorPets;
    let nowMs = NOW_MS;

    beforeAll(async () => {
      commands = await backend(url, 1, () => nowMs).openForCommand();
      pets = commands.pets;
    });
    afterAll(() => commands[Symbol.asyncDispose]());

    function openPets(changed: SqlDatabase): OperatorPets {
      const { now } = Date;
      return sqlOperatorPets(changed, changer(changed, { origin: TEST_ORIGIN, now }), now);
    }

    function openSql(target: string): SqlDatabase {
      return isFile
        ? sqliteSql(openDatabase(pathOf(target)), { timeoutMs: WAIT_TIMEOUT_MS })
        : postgresSql(new Pool({ url: target, connections: 1, timeoutMs: WAIT_TIMEOUT_MS }));
    }

    async function exported() {
      return await Array.fromAsync(pets.exportPets());
    }

    async function lastChange() {
      return (await commands.audit.listChanges({ limit: 1 }))[0];
    }

    async function add() {
      return (await store.pets.createPet(REX)).pet;
    }

    test('an import adds all pets in their order, after those that exist, and is audited when it has read them', async () => {
      const { id: before } = await add();
      const all = newPets(12_345);
      async function* read() {
        yield* [all.slice(0, 6_000), []];
        nowMs++;
        yield all.slice(6_000);
      }
      const { count, firstId, lastId } = await pets.importPets(read());
      expect((await lastChange())?.createdAtMs).toBe(NOW_MS + 1);
      expect((await pets.getPet(lastId as bigint)).addedAtMs).toBe(NOW_MS + 1);
      expect(count).toBe(all.length);
      const found = (await exported()).filter(({ id }) => id > before);
      expect(found.map(({ id: _, ...pet }) => pet)).toEqual(all);
      expect([found.at(0)?.id, found.at(-1)?.id]).toEqual([firstId, lastId]);
      expect((await add()).id).toBeGreaterThan(lastId as bigint);
      expect(await pets.importPets(batches())).toEqual({ count: 0 });
      expect(await lastChange()).toMatchObject({
        action: 'pet.import',
        subject: `pets ${firstId} to ${lastId}`,
        newValue: `{"count":12345,"firstId":${firstId},"lastId":${lastId}}`,
      });
    });

    test('creations continue while an import reads its file', async () => {
      async function* creatingMeanwhile() {
        for await (const some of batches(newPets(10), newPets(10))) {
          yield some;
          await add();
        }
      }
      expect((await pets.importPets(creatingMeanwhile())).count).toBe(20);
    });

    test('an import that would block a running service for too long adds nothing', async () => {
      const target = await create();
      await createStore(target);
      let served = undefined as Store | undefined;
      await using database = openSql(target);
      let asked = 0;
      let read = 0;
      async function* counted() {
        for await (const some of batches(newPets(2), newPets(2), newPets(2))) {
          read++;
          yield some;
        }
      }
      /** A service starts after the first question. From the given question on, it waits for nothing. */
      const importFrom = (question: number) => {
        asked = read = 0;
        const maxLockedMs = async (sql: Sql) => {
          const lockedMs = await database.maxLockedMs(sql);
          served ??= await openStore(target, 1);
          return ++asked < question ? Number.POSITIVE_INFINITY : lockedMs - 1e9;
        };
        return openPets({ ...database, maxLockedMs }).importPets(counted());
      };
      const readUntilRefused = async (question: number) => {
        expect(await messageOf(importFrom(question))).toContain(
          'Stop the service, or split the file. Nothing was changed.',
        );
        return read;
      };
      expect(await readUntilRefused(2)).toBe(2);
      // This happens while the pets are copied.
      expect(await readUntilRefused(4)).toBe(3);
      // Creations wait for half of the time limit on SQLite, and for 0.4 of it on PostgreSQL.
      expect(await database.maxLockedMs(database)).toBeCloseTo(0.3 * WAIT_TIMEOUT_MS);
      expect(await served?.pets.listPets({ limit: 1 })).toEqual([]);
      await served?.[Symbol.asyncDispose]();
      // The backends of the service may need a moment to end.
      await eventually(() => succeeds(importFrom(1)));
      expect(read).toBe(3);
    });

    test('a changed status is audited with the old and the new pet, once', async () => {
      const pet = await add();
      const sold = { ...pet, status: 'sold' } as const;
      expect(await pets.setStatus(pet.id, 'sold')).toEqual(pet);
      expect(await pets.getPet(pet.id)).toMatchObject(sold);
      await pets.setStatus(pet.id, 'sold');
      expect(await lastChange()).toMatchObject({
        createdAtMs: nowMs,
        action: 'pet.set-status',
        subject: `pet ${pet.id}`,
        oldValue: petToJson(pet),
        newValue: petToJson(sold),
        ...TEST_ORIGIN,
      });
    });

    test('a removed pet is audited, and its id is never used again, even in a moved store', async () => {
      const pet = await add();
      await addAccount(store, 'removed');
      const account = await store.accounts.removeAccount('removed');
      expect(await pets.removePet(pet.id)).toEqual(pet);
      expect(await store.pets.getPet(pet.id)).toBeUndefined();
      expect(await lastChange()).toMatchObject({ action: 'pet.remove', newValue: null });
      const target = await create();
      {
        await using all = await commands.openExport();
        const batches = (async function* () {
          yield await Array.fromAsync(all.records);
        })();
        await backend(target).importAll(batches, all.lastIds);
      }
      await using moved = await openStore(target);
      expect((await moved.pets.createPet(REX)).pet.id).toBe(pet.id + 1n);
      const [{ action } = {}] = await moved
        .forOperator(TEST_ORIGIN)
        .audit.listChanges({ limit: 1 });
      expect(action).toBe('store.import');
      const next = await addAccount(moved, 'next');
      expect(next.id).toBe(account.id + 1);
      expect((await add()).id).toBe(pet.id + 1n);
    });

    test('a correction that cannot be audited does not happen', async () => {
      const pet = await add();
      const { pet: ours } = await store.pets.createPet(REX, undefined, 1);
      const before = await exported();
      const impossible = { ...TEST_ORIGIN, command: null as unknown as string };
      const unaudited = store.forOperator(impossible).pets;
      await rejection(unaudited.setStatus(pet.id, 'sold'));
      await rejection(unaudited.removePet(pet.id));
      await rejection(unaudited.removePets([await pets.getPet(ours.id)], {}));
      await rejection(unaudited.addPet(REX));
      await rejection(unaudited.importPets(batches(newPets(2))));
      expect(await exported()).toEqual(before);
    });

    test('the retry of a creation whose pet was removed is replayed and creates nothing', async () => {
      const { id: accountId } = await addAccount(store, 'retrying');
      const key = once(accountId, 'k');
      const { pet } = await store.pets.createPet(REX, key);
      await pets.removePet(pet.id);
      expect(await store.pets.createPet(REX, key)).toEqual({ pet, replayed: true });
      expect(await store.pets.listPets({ after: pet.id - 1n, limit: 1 })).toEqual([]);
      const other = store.pets.createPet(REX, { ...key, fingerprint: 'other' });
      expect(await rejection(other)).toHaveProperty('name', 'IdempotencyKeyReusedError');
    });

    describe('by who added them', () => {
      const SLICE = 10_000;
      let database: SqlDatabase;
      let all: ListedPet[];

      beforeAll(async () => {
        const target = await create();
        await using filled = await openStore(target);
        await addAccount(filled, 'shop');
        await createKey(filled, { accountName: 'shop' });
        await filled.accounts.revokeKey(1);
        database = openSql(target);
        const rows = Array.from({ length: 2.5 * SLICE }, (_, index) => ({
          ...REX,
          id: BigInt(index),
          status: PET_STATUSES[index % 3],
          ...originOf(index),
        }));
        await insert(database, 'pets', rows, RECORD_FIELDS.pet);
        const withNames = rows.map((row) => ({
          ...row,
          accountName: row.keyId === 1 ? 'shop' : null,
        }));
        all = withNames.reverse() as ListedPet[];
      });
      afterAll(() => database[Symbol.asyncDispose]());

      /** Half a slice of pets is added each second, one with a clock that is 20 hours behind, and one by version 1.0.0. */
      function originOf(index: number): { addedAtMs?: number; keyId?: number } {
        if (index >= 1.5 * SLICE) return {};
        const addedAtMs = NOW_MS - (index < SLICE / 2 ? 5e6 - 1_000 * index : 20 * HOUR_MS);
        return index % 5 === 0
          ? { addedAtMs }
          : { addedAtMs, keyId: index < 600 && index % 2 ? 2 : 1 };
      }

      function changed(changes: Partial<SqlDatabase>): OperatorPets {
        return openPets({ ...database, ...changes });
      }

      async function found(filter: PetFilter, source = changed({})) {
        return (await Array.fromAsync(source.findPets(filter))).flat();
      }

      function matching({ limit, ...filter }: PetFilter) {
        const { sinceMs, untilMs, beforeId } = filter;
        const matches = ({ id, status, addedAtMs = Number.NaN, ...pet }: ListedPet) =>
          (filter.account ?? pet.accountName) === pet.accountName &&
          (filter.keyId ?? pet.keyId) === pet.keyId &&
          (filter.status ?? status) === status &&
          (sinceMs === undefined || addedAtMs >= sinceMs) &&
          (untilMs === undefined || addedAtMs <= untilMs) &&
          (beforeId === undefined || id < beforeId);
        return all.filter(matches).slice(0, limit);
      }

      test('a list is a filter over all pets, also if a clock was behind', async () => {
        const time = fc.integer({ min: NOW_MS - 24 * HOUR_MS, max: NOW_MS });
        const values = {
          account: fc.constant('shop'),
          keyId: fc.constantFrom(1, 2, 3),
          sinceMs: time,
          untilMs: time,
          status: fc.constantFrom(...PET_STATUSES),
          beforeId: fc.bigInt(0n, BigInt(all.length)),
          limit: fc.nat(2 * SLICE),
        };
        const property = fc.asyncProperty(fc.record(values, { requiredKeys: [] }), async (filter) =>
          Bun.deepEquals(await found(filter), matching(filter)),
        );
        const behind = NOW_MS - 20 * HOUR_MS;
        const examples: [PetFilter][] = [
          [{ sinceMs: NOW_MS - HOUR_MS }],
          [{ sinceMs: behind, untilMs: behind }],
        ];
        await fc.assert(property, { numRuns: 15, examples });
        expect(await messageOf(found({ account: 'gone' }))).toContain('does not exist');
      });

      test('a search ends where all are a day older, but not at pets of 1.0.0', async () => {
        let slices = 0;
        const allExact: SqlDatabase['allExact'] = (text, ...values) => {
          if (text.includes('min(id)')) slices++;
          return database.allExact(text, ...values);
        };
        expect(await found({ sinceMs: NOW_MS + 5 * HOUR_MS }, changed({ allExact }))).toEqual([]);
        expect(slices).toBe(2);
      });

      test('a removal that is interrupted is audited as far as it got, and can be continued', async () => {
        const listed = matching({ keyId: 2 });
        const entries = () => auditReader(database).listChanges({ limit: 10 });
        let slices = 0;
        const failing = changed({
          transaction: async (change) => {
            if (++slices > 2) throw new Error('killed');
            return await database.transaction(change);
          },
        });
        await rejection(failing.removePets(listed, { addedWith: 'key 2' }));
        const subject = `pets ${listed[199]?.id} to ${listed[100]?.id}`;
        const oldValue = '{"count":100,"addedWith":"key 2"}';
        expect((await entries())[0]).toMatchObject({ action: 'pet.remove', subject, oldValue });
        expect(await found({ keyId: 2 })).toEqual(listed.slice(200));
        const rest = changed({});
        expect(await rest.removePets(listed, {})).toBe(listed.length - 200);
        expect(await rest.removePets(listed, {})).toBe(0);
        const { length } = listed;
        expect((await entries())[0]?.oldValue).toBe(`{"count":${length % 100 || 100}}`);
        expect(await found({})).toHaveLength(all.length - listed.length);
      });

      test('a pet of another store, which has the same id, is not removed', async () => {
        const [pet] = matching({ keyId: 1 }) as [ListedPet];
        // Together they have all values of the pet.
        const strangers = [
          { ...pet, addedAtMs: 1 },
          { ...pet, keyId: 3 },
          { ...REX, id: pet.id },
        ];
        expect(await changed({}).removePets(strangers, {})).toBe(0);
      });
    });
  },
);
