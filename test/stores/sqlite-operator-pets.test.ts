import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { NewPet } from '../../src/domain/pet.ts';
import { auditLog } from '../../src/stores/sql/audit.ts';
import { sqlOperatorPets } from '../../src/stores/sql/operator-pets.ts';
import type { SqlDatabase } from '../../src/stores/sql/sql.ts';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { sqliteSql } from '../../src/stores/sqlite/sql.ts';
import { openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { operatorPetsSuite } from './operator-pets-suite.ts';

const folder = temporaryFolder();
let files = 0;
afterAll(() => folder[Symbol.dispose]());

const newPath = (): string => join(folder.path, `${++files}.db`);

operatorPetsSuite('pets of operators in SQLite', async () => `sqlite:${newPath()}`);

const REX = { name: 'Rex', categoryId: 1n, status: 'sold' } as const;

const auditOf = (database: SqlDatabase) => auditLog(database, TEST_ORIGIN, Date.now);

async function* twoBatches(): AsyncIterable<NewPet[]> {
  yield Array(6_000).fill(REX);
  yield Array(6_000).fill(REX);
}

test('creations go on while an import reads its file', async () => {
  const path = newPath();
  await using store = await openStore(`sqlite:${path}`);
  await using database = sqliteSql(openDatabase(path));
  async function* creatingMeanwhile(): AsyncIterable<NewPet[]> {
    for await (const pets of twoBatches()) {
      yield pets;
      await store.pets.createPet(REX);
    }
  }
  const pets = sqlOperatorPets(database, auditOf(database));
  const imported = await pets.importPets(creatingMeanwhile());
  expect(imported).toEqual({ count: 12_000, firstId: 3n, lastId: 12_002n });
});

test('an import that would block a running service for too long adds nothing', async () => {
  const path = newPath();
  const store = await openStore(`sqlite:${path}`);
  await using database = sqliteSql(openDatabase(path));
  const pets = sqlOperatorPets(database, auditOf(database), 0);
  expect(String(await rejection(pets.importPets(twoBatches())))).toContain(
    'Stop the service, or split the file. Nothing was changed.',
  );
  expect(store.pets.listPets({ limit: 1 })).toEqual([]);
  await store[Symbol.asyncDispose]();
  expect(await pets.importPets(twoBatches())).toHaveProperty('count', 12_000);
});
