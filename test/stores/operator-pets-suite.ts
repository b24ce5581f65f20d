import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { OperatorStore, Store } from '../../src/domain/backend.ts';
import type { OperatorPets } from '../../src/domain/operator/operator-pets.ts';
import type { StoreRecord } from '../../src/domain/operator/transfer.ts';
import type { NewPet, Pet } from '../../src/domain/pet.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';
import { rejection } from '../support/rejection.ts';

const NOW_MS = Date.UTC(2026, 10, 15);

function newPets(count: number, name = 'Rex'): NewPet[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index}`,
    categoryId: 2n ** 63n - 1n - BigInt(index),
    status: index % 2 === 0 ? 'available' : 'sold',
  }));
}

async function* batches(...all: readonly NewPet[][]): AsyncIterable<NewPet[]> {
  yield* all;
}

/** The rules for pets in the hands of operators. */
export function operatorPetsSuite(name: string, newUrl: () => Promise<string>): void {
  describe(name, () => {
    let url: string;
    let store: Store;
    let commands: OperatorStore;
    let pets: OperatorPets;

    beforeAll(async () => {
      url = await newUrl();
      store = await backend(url, 2).openStore();
      commands = await backend(url, 1, () => NOW_MS).openForCommand(TEST_ORIGIN);
      pets = commands.openPets();
    });
    afterAll(async () => {
      await commands[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    });

    async function exported(): Promise<Pet[]> {
      return await Array.fromAsync(pets.exportPets());
    }

    async function recordsOf(kind: StoreRecord['kind']) {
      await using all = await backend(url).openExport();
      const records = await Array.fromAsync(all.records);
      return records.filter((record) => record.kind === kind).map(({ value }) => value);
    }

    async function add(): Promise<Pet> {
      const newPet = { name: 'Tom', categoryId: 1n, status: 'available' } as const;
      return (await store.pets.createPet(newPet)).pet;
    }

    test('an import adds all pets in their order, after those that exist', async () => {
      const { id: before } = await add();
      const all = newPets(12_345);
      const imported = await pets.importPets(batches(all.slice(0, 6_000), [], all.slice(6_000)));
      expect(imported.count).toBe(all.length);
      const found = (await exported()).filter(({ id }) => id > before);
      expect(found.map(({ id: _, ...pet }) => pet)).toEqual(all);
      expect(found.at(0)?.id).toBe(imported.firstId as bigint);
      expect(found.at(-1)?.id).toBe(imported.lastId as bigint);
      expect((await add()).id).toBeGreaterThan(imported.lastId as bigint);
    });

    test('an import that fails adds nothing, and the next one works', async () => {
      const before = await exported();
      async function* failing() {
        yield newPets(6_000);
        throw new Error('a bad line');
      }
      expect(await rejection(pets.importPets(failing()))).toHaveProperty('message', 'a bad line');
      expect(await exported()).toEqual(before);
      expect(await pets.importPets(batches(newPets(1)))).toHaveProperty('count', 1);
    });

    test('an import of nothing adds nothing', async () => {
      expect(await pets.importPets(batches())).toEqual({ count: 0 });
    });

    test('an export that is not read to the end can be repeated', async () => {
      for await (const _ of pets.exportPets()) break;
      expect((await exported()).length).toBeGreaterThan(0);
    });

    test('a changed status is audited with the old and the new pet', async () => {
      const pet = await add();
      expect(await pets.setStatus(pet.id, 'sold')).toEqual(pet);
      expect(await pets.getPet(pet.id)).toEqual({ ...pet, status: 'sold' });
      expect((await recordsOf('auditEntry')).at(-1)).toEqual({
        id: expect.any(Number),
        createdAtMs: NOW_MS,
        action: 'pet.set-status',
        subject: `pet ${pet.id}`,
        oldValue: `{"id":${pet.id},"name":"Tom","categoryId":1,"status":"available"}`,
        newValue: `{"id":${pet.id},"name":"Tom","categoryId":1,"status":"sold"}`,
        ...TEST_ORIGIN,
        accountId: null,
      });
    });

    test('a pet that an operator adds is audited, and found by its id', async () => {
      const newPet = { name: 'Added', categoryId: 2n ** 63n - 1n, status: 'pending' } as const;
      const pet = await pets.addPet(newPet);
      expect(await store.pets.getPet(pet.id)).toEqual({ ...newPet, id: pet.id });
      expect((await recordsOf('auditEntry')).at(-1)).toMatchObject({
        action: 'pet.add',
        subject: `pet ${pet.id}`,
        oldValue: null,
        newValue: `{"id":${pet.id},"name":"Added","categoryId":9223372036854775807,"status":"pending"}`,
      });
    });

    test('an import is audited with its number of pets and their ids', async () => {
      const { firstId, lastId } = await pets.importPets(batches(newPets(3)));
      const entries = await recordsOf('auditEntry');
      expect(entries.at(-1)).toMatchObject({
        action: 'pet.import',
        subject: `pets ${firstId} to ${lastId}`,
        oldValue: null,
        newValue: `{"count":3,"firstId":${firstId},"lastId":${lastId}}`,
      });
      await pets.importPets(batches());
      expect(await recordsOf('auditEntry')).toHaveLength(entries.length);
    });

    test('a correction in the console is seen by the service at once', async () => {
      const pet = await add();
      const before = store.revision.changes();
      await using operator = store.forOperator({ command: 'console', operator: 'token 1' });
      await operator.openPets().setStatus(pet.id, 'pending');
      expect(await store.pets.getPet(pet.id)).toEqual({ ...pet, status: 'pending' });
      if (store.revision.writes !== undefined) expect(store.revision.changes()).not.toBe(before);
      expect(await operator.audit.listChanges({ limit: 1 })).toEqual([
        expect.objectContaining({ command: 'console', operator: 'token 1' }),
      ]);
    });

    test('a status that stays the same is not audited', async () => {
      const { id } = await add();
      const before = await recordsOf('auditEntry');
      await pets.setStatus(id, 'available');
      expect(await recordsOf('auditEntry')).toEqual(before);
    });

    test('a removed pet is audited, and its id is never used again', async () => {
      const pet = await add();
      expect(await pets.removePet(pet.id)).toEqual(pet);
      expect(await store.pets.getPet(pet.id)).toBeUndefined();
      expect((await recordsOf('auditEntry')).at(-1)).toMatchObject({
        action: 'pet.remove',
        oldValue: expect.stringContaining('"Tom"'),
        newValue: null,
      });
      expect((await add()).id).toBeGreaterThan(pet.id);
    });

    test('a correction that cannot be audited does not happen', async () => {
      const pet = await add();
      const before = (await exported()).length;
      const impossible = { ...TEST_ORIGIN, command: null as unknown as string };
      const unaudited = store.forOperator(impossible).openPets();
      await rejection(unaudited.setStatus(pet.id, 'sold'));
      await rejection(unaudited.removePet(pet.id));
      await rejection(unaudited.addPet({ name: 'Tom', categoryId: 1n, status: 'sold' }));
      await rejection(unaudited.importPets(batches(newPets(2))));
      expect(await pets.getPet(pet.id)).toEqual(pet);
      expect(await exported()).toHaveLength(before);
    });

    test('a pet that does not exist cannot be corrected', async () => {
      const message = 'Pet 999999999 does not exist.';
      for (const attempt of [
        () => pets.getPet(999_999_999n),
        () => pets.setStatus(999_999_999n, 'sold'),
        () => pets.removePet(999_999_999n),
      ]) {
        expect(await rejection(attempt())).toHaveProperty('message', message);
      }
    });

    test('the retry of a creation whose pet was removed is replayed and creates nothing', async () => {
      const limits = { perMinute: 60, perDay: 1_000 };
      const account = { name: 'retrying', plan: 'free', limits, nowMs: NOW_MS } as const;
      const { id: accountId } = await store.accounts.createAccount(account);
      const newPet = { name: 'Once', categoryId: 7n, status: 'pending' } as const;
      const once = { accountId, key: 'k', fingerprint: 'f', offsetMs: 0 };
      const { pet } = await store.pets.createPet(newPet, once);
      await pets.removePet(pet.id);
      expect(await store.pets.createPet(newPet, once)).toEqual({ pet, replayed: true });
      expect(await store.pets.listPets({ after: pet.id - 1n, limit: 1 })).toEqual([]);
      const other = store.pets.createPet(newPet, { ...once, fingerprint: 'other' });
      expect(await rejection(other)).toHaveProperty('name', 'IdempotencyKeyReusedError');
    });

    test('a moved store never uses the id of a removed pet again', async () => {
      const { id } = await add();
      await pets.removePet(id);
      const audit = await recordsOf('auditEntry');
      const target = await newUrl();
      {
        await using all = await backend(url).openExport();
        await backend(target).importAll(all.records, all.lastPetId, TEST_ORIGIN);
      }
      await using moved = await backend(target, 1).openStore();
      const newPet = { name: 'Next', categoryId: 1n, status: 'sold' } as const;
      expect((await moved.pets.createPet(newPet)).pet.id).toBe(id + 1n);
      await using movedExport = await backend(target).openExport();
      expect(movedExport.counts.auditEntry).toBe(audit.length + 1);
    });

    test('an import that would use up the ids adds nothing', async () => {
      const target = await newUrl();
      async function* nothing() {}
      const last = 2n ** 63n - 1n - 2n ** 32n;
      await backend(target).importAll(nothing(), last - 1n, TEST_ORIGIN);
      await using full = await backend(target).openForCommand(TEST_ORIGIN);
      const toFull = full.openPets();
      expect(await rejection(toFull.importPets(batches(newPets(2))))).toHaveProperty(
        'message',
        expect.stringContaining(`uses ids of pets up to ${last + 1n}`),
      );
      expect(await toFull.importPets(batches(newPets(1)))).toMatchObject({ lastId: last });
    });
  });
}
