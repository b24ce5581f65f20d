import { describe, expect, test } from 'bun:test';
import type { Pet, PetStore } from '#domain/pet.ts';
import { connectTo, newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { importPets, openStore } from '../support/store.ts';
import { REX, recordCommits, setForDatabase, testDatabases } from './databases.ts';

/** A double cannot tell this id, the next one and the one after that apart. */
const ID = 2n ** 53n;

/**
 * Makes each write of a request, and returns the id of the pet that it changed. One that changes an
 * existing pet changes the pet with the id `ID + 1n`. A write that is missing here is a compile error.
 */
const WRITES: Readonly<
  Record<Exclude<keyof PetStore, 'getPet' | 'listPets'>, (pets: PetStore) => Promise<bigint>>
> = {
  createPet: async (pets) => (await pets.createPet(REX)).pet.id,
};

describe.each(Object.entries(WRITES))('the write %s', (_, write) => {
  test.each(testDatabases())(
    'keeps every digit of an id above 2^53 in %s',
    async (_, { create }) => {
      const url = await create();
      const pets = [ID, ID + 1n, ID + 2n].map((id): Pet => ({ id, ...REX }));
      await importPets(url, pets, ID + 2n);
      await using store = await openStore(url);
      const all = async () => store.pets.listPets({ limit: 9 });
      const before = await all();
      const id = await write(store.pets);
      const after = await all();
      const isOther = (pet: Pet) => pet.id !== id;
      expect(id).toBeGreaterThan(ID);
      expect(after).not.toEqual(before);
      expect(after.filter(isOther)).toEqual(before.filter(isOther));
      expect(await store.pets.getPet(id)).toEqual(after.find((pet) => pet.id === id));
    },
  );

  test.skipIf(lacks('postgres'))(
    'is durable in PostgreSQL, even if the server is not set to that',
    async () => {
      const url = await newPostgresDatabase();
      await importPets(url, [{ id: ID + 1n, ...REX }], ID + 1n);
      await using sql = connectTo(url);
      await recordCommits(sql);
      await setForDatabase(sql, url, 'off');
      await using store = await openStore(url);
      await write(store.pets);
      expect(await sql`SELECT DISTINCT used, server FROM commits`).toEqual([
        { used: 'on', server: 'off' },
      ]);
    },
  );
});
