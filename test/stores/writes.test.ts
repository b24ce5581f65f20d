import { afterEach, describe, expect, mock, spyOn, test } from 'bun:test';
import type { OperatorPets } from '#domain/operator/operator-pets.ts';
import type { Pet, PetReader, PetStore } from '#domain/pet.ts';
import { connectTo, newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import {
  backend,
  createAccount,
  createStore,
  importPets,
  openParts,
  openStore,
  TEST_ORIGIN,
} from '../support/store.ts';
import { Clock } from '../support/time.ts';
import {
  REX,
  recordCommits,
  setForDatabase,
  type TestDatabase,
  testDatabases,
} from './databases.ts';

/** A double cannot tell this id, the next one and the one after that apart. */
const ID = 2n ** 53n;
const PETS = [ID, ID + 1n, ID + 2n].map((id): Pet => ({ id, ...REX }));
/** Only pets that a key has added can be removed together. */
const ADDED_PETS = PETS.map((pet) => ({ ...pet, addedAtMs: 1, keyId: 1 }));

/**
 * Makes each write of a request, and returns the id of the pet that it changed. One that changes an
 * existing pet changes the pet with the id `ID + 1n`. A write that is missing here is a compile error.
 */
const WRITES: Readonly<
  Record<Exclude<keyof PetStore, keyof PetReader>, (pets: PetStore) => Promise<bigint>>
> = {
  createPet: async (pets) => (await pets.createPet(REX)).pet.id,
};

/** Makes each change of an operator that a service can make. It neither imports nor exports pets. */
const CHANGES: Readonly<
  Record<
    Exclude<keyof OperatorPets, 'getPet' | 'findPets' | 'importPets' | 'exportPets'>,
    (pets: OperatorPets) => Promise<unknown>
  >
> = {
  addPet: (pets) => pets.addPet(REX),
  setStatus: (pets) => pets.setStatus(ID + 1n, 'sold'),
  removePet: (pets) => pets.removePet(ID + 1n),
  removePets: async (pets) => pets.removePets([await pets.getPet(ID)], {}),
};

/** Returns the parts of a service on a store with these pets. Its caches contain what `read` returns. */
async function openService({ create }: TestDatabase) {
  const url = await create();
  await importPets(url, ADDED_PETS, ID + 2n);
  const clock = new Clock();
  const parts = await openParts({ DATABASE_URL: url }, clock);
  // While this clock stands still, SQLite's revision is read again only after a write of this process.
  spyOn(performance, 'now').mockReturnValue(performance.now());
  await read(parts.pets);
  return { clock, ...parts };
}

const READS: Readonly<Record<keyof PetReader, (pets: PetReader) => Promise<unknown>>> = {
  listPets: (pets) => Promise.all([1, 3, 9].map((limit) => pets.listPets({ limit }))),
  getPet: (pets) => Promise.all(PETS.map(({ id }) => pets.getPet(id))),
};

function read(pets: PetReader) {
  return Promise.all(Object.values(READS).map((each) => each(pets)));
}

afterEach(() => void mock.restore());

describe.each(Object.entries(WRITES))('the write %s', (_, write) => {
  test.each(testDatabases())(
    'keeps every digit of an id above 2^53 in %s, and expires what is cached',
    async (_, database) => {
      await using service = await openService(database);
      const { pets, store } = service;
      const id = await write(pets);
      expect(await read(pets)).toEqual(await read(store.pets));
      const after = await pets.listPets({ limit: 9 });
      const isOther = (pet: Pet) => pet.id !== id;
      expect(id).toBeGreaterThan(ID);
      expect(after).not.toEqual(PETS);
      expect(after.filter(isOther)).toEqual(PETS.filter(isOther));
      expect(await pets.getPet(id)).toEqual(after.find((pet) => pet.id === id));
    },
  );
});

describe.each(testDatabases())('in a service with %s', (_, database) => {
  test.each(Object.entries(CHANGES))(
    'what is cached expires after the change %s of an operator',
    async (_, change) => {
      await using service = await openService(database);
      const { pets, store, clock } = service;
      const before = await read(pets);
      await change(store.forOperator(TEST_ORIGIN).pets);
      if (!database.isFile) clock.advance(0.5);
      const after = await read(pets);
      expect(after).toEqual(await read(store.pets));
      expect(after).not.toEqual(before);
    },
  );
});

test.skipIf(lacks('postgres')).each([
  ['off', 'on'],
  ['remote_write', 'on'],
  ['remote_apply', 'remote_apply'],
])(
  'in PostgreSQL with synchronous_commit=%s, an import and every write and change commit with %s',
  async (server, used) => {
    const url = await newPostgresDatabase();
    await createStore(url);
    await using sql = connectTo(url);
    await recordCommits(sql);
    await setForDatabase(sql, url, server);
    await importPets(url, ADDED_PETS, ID + 2n);
    await using store = await openStore(url);
    await using command = await backend(url).openForCommand();
    for (const write of Object.values(WRITES)) await write(store.pets);
    for (const change of Object.values(CHANGES)) await change(command.pets);
    await createAccount(command, { name: 'a' });
    expect(await sql`SELECT DISTINCT used, server FROM commits`).toEqual([{ used, server }]);
  },
);
