import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { OperatorStore, Store } from '../../src/domain/backend.ts';
import type { AuditEntry } from '../../src/domain/operator/audit.ts';
import type { OperatorPets } from '../../src/domain/operator/operator-pets.ts';
import { type Pet, petToJson } from '../../src/domain/pet.ts';
import { createPool } from '../../src/stores/postgres/pool.ts';
import { postgresSql } from '../../src/stores/postgres/sql.ts';
import { auditLog } from '../../src/stores/sql/audit.ts';
import { sqlOperatorPets } from '../../src/stores/sql/operator-pets.ts';
import type { Sql } from '../../src/stores/sql/sql.ts';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { sqliteSql } from '../../src/stores/sqlite/sql.ts';
import { eventually } from '../support/command.ts';
import { WAIT_TIMEOUT_MS } from '../support/hang.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { newPets } from '../support/pets.ts';
import { rejection } from '../support/rejection.ts';
import { FREE, messageOf, NOW_MS, pathOf, REX, testDatabases } from './databases.ts';

async function* batches<T>(...all: readonly T[]): AsyncIterable<T> {
  yield* all;
}

describe.each(testDatabases())('pets of operators in %s', (_, { isFile, create }) => {
  let url: string;
  let store: Store;
  let commands: OperatorStore & AsyncDisposable;
  let pets: OperatorPets;

  beforeAll(async () => {
    url = await create();
    store = await openStore(url, 2);
    commands = await backend(url, 1, () => NOW_MS).openForCommand(TEST_ORIGIN);
    pets = commands.pets;
  });
  afterAll(async () => {
    await commands[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });

  async function exported(): Promise<Pet[]> {
    return await Array.fromAsync(pets.exportPets());
  }

  async function lastChange(): Promise<AuditEntry | undefined> {
    return (await commands.audit.listChanges({ limit: 1 }))[0];
  }

  async function add(): Promise<Pet> {
    return (await store.pets.createPet(REX)).pet;
  }

  test('an import adds all pets in their order, after those that exist, and is audited', async () => {
    const { id: before } = await add();
    const all = newPets(12_345);
    const { count, firstId, lastId } = await pets.importPets(
      batches(all.slice(0, 6_000), [], all.slice(6_000)),
    );
    expect(count).toBe(all.length);
    const found = (await exported()).filter(({ id }) => id > before);
    expect(found.map(({ id: _, ...pet }) => pet)).toEqual(all);
    expect([found.at(0)?.id, found.at(-1)?.id]).toEqual([firstId, lastId]);
    expect((await add()).id).toBeGreaterThan(lastId as bigint);
    const entry = await lastChange();
    expect(entry).toMatchObject({
      action: 'pet.import',
      subject: `pets ${firstId} to ${lastId}`,
      newValue: `{"count":12345,"firstId":${firstId},"lastId":${lastId}}`,
    });
    expect(await pets.importPets(batches())).toEqual({ count: 0 });
    expect(await lastChange()).toEqual(entry);
  });

  test('creations go on while an import reads its file', async () => {
    let created = 0;
    async function* creatingMeanwhile() {
      for await (const some of batches(newPets(10), newPets(10))) {
        yield some;
        await add();
        created++;
      }
    }
    expect((await pets.importPets(creatingMeanwhile())).count).toBe(20);
    expect(created).toBe(2);
  });

  test('an import that would hold up a running service for too long adds nothing', async () => {
    const target = await create();
    const served = await openStore(target, 1);
    await using database = isFile
      ? sqliteSql(openDatabase(pathOf(target)))
      : postgresSql(createPool({ url: target, connections: 1, timeoutMs: WAIT_TIMEOUT_MS }));
    const audit = auditLog(database, TEST_ORIGIN, Date.now);
    const maxLockedMs = async (sql: Sql) => (await database.maxLockedMs(sql)) - 1e9;
    const impatient = sqlOperatorPets({ ...database, maxLockedMs }, audit, Date.now);
    expect(await messageOf(impatient.importPets(batches(newPets(2))))).toContain(
      'Stop the service, or split the file. Nothing was changed.',
    );
    const patient = sqlOperatorPets(database, audit, Date.now);
    const unread = batches(newPets(2));
    expect(await messageOf(patient.importPets(unread, 1e15))).toContain('too large');
    expect((await Array.fromAsync(unread)).length).toBe(1);
    expect(await served.pets.listPets({ limit: 1 })).toEqual([]);
    await served[Symbol.asyncDispose]();
    // The backends of the service may need a moment to end.
    await eventually(() =>
      impatient.importPets(batches(newPets(2))).then(
        ({ count }) => count === 2,
        () => false,
      ),
    );
  });

  test('a changed status is audited with the old and the new pet, once', async () => {
    const pet = await add();
    expect(await pets.setStatus(pet.id, 'sold')).toEqual(pet);
    expect(await pets.getPet(pet.id)).toEqual({ ...pet, status: 'sold' });
    const entry = await lastChange();
    expect(entry).toMatchObject({
      createdAtMs: NOW_MS,
      action: 'pet.set-status',
      subject: `pet ${pet.id}`,
      oldValue: petToJson(pet),
      newValue: petToJson({ ...pet, status: 'sold' }),
      ...TEST_ORIGIN,
    });
    await pets.setStatus(pet.id, 'sold');
    expect(await lastChange()).toEqual(entry);
  });

  test('a removed pet is audited, and its id is never used again, even in a moved store', async () => {
    const pet = await add();
    expect(await pets.removePet(pet.id)).toEqual(pet);
    expect(await store.pets.getPet(pet.id)).toBeUndefined();
    expect(await lastChange()).toMatchObject({ action: 'pet.remove', newValue: null });
    const target = await create();
    {
      await using all = await commands.openExport();
      await backend(target).importAll(all.records, all.lastIds, TEST_ORIGIN);
    }
    await using moved = await openStore(target);
    expect((await moved.pets.createPet(REX)).pet.id).toBe(pet.id + 1n);
    expect((await add()).id).toBe(pet.id + 1n);
  });

  test('a correction that cannot be audited does not happen', async () => {
    const pet = await add();
    const before = (await exported()).length;
    const impossible = { ...TEST_ORIGIN, command: null as unknown as string };
    const unaudited = store.forOperator(impossible).pets;
    await rejection(unaudited.setStatus(pet.id, 'sold'));
    await rejection(unaudited.removePet(pet.id));
    await rejection(unaudited.addPet(REX));
    await rejection(unaudited.importPets(batches(newPets(2))));
    expect(await pets.getPet(pet.id)).toEqual(pet);
    expect(await exported()).toHaveLength(before);
  });

  test('the retry of a creation whose pet was removed is replayed and creates nothing', async () => {
    const { id: accountId } = await store.accounts.createAccount({ name: 'retrying', ...FREE });
    const once = { accountId, key: 'k', fingerprint: 'f', offsetMs: 0 };
    const { pet } = await store.pets.createPet(REX, once);
    await pets.removePet(pet.id);
    expect(await store.pets.createPet(REX, once)).toEqual({ pet, replayed: true });
    expect(await store.pets.listPets({ after: pet.id - 1n, limit: 1 })).toEqual([]);
    const other = store.pets.createPet(REX, { ...once, fingerprint: 'other' });
    expect(await rejection(other)).toHaveProperty('name', 'IdempotencyKeyReusedError');
  });
});
