import { NotFoundError, OperatorError } from '../../domain/error.ts';
import { changeOf, petChange } from '../../domain/operator/audit.ts';
import type { OperatorPets } from '../../domain/operator/operator-pets.ts';
import type { NewPet, Pet } from '../../domain/pet.ts';
import type { AuditLog } from './audit.ts';
import {
  NEW_PET_COLUMNS,
  NEW_PET_DEFINITIONS,
  NEW_PET_FIELDS,
  petIn,
  SELECT_PETS,
  SELECTED_PET,
  valuesOf,
} from './pets.ts';
import { insert, readId, type Sql, type SqlDatabase } from './sql.ts';

const SLICE = 10_000;
/** On a slow disk. */
const COPIED_BYTES_PER_MS = 20_000;

const COPY_SLICE = `INSERT INTO pets (added_at, ${NEW_PET_COLUMNS})
  SELECT CAST($3 AS bigint), ${NEW_PET_COLUMNS} FROM staged_pets
  WHERE place >= $1 AND place < $2 ORDER BY place`;

const INSERT = `INSERT INTO pets (added_at, ${NEW_PET_COLUMNS})
  VALUES ($1, ${NEW_PET_COLUMNS.map((_, index) => `$${index + 2}`)}) RETURNING ${SELECTED_PET}`;

export function sqlOperatorPets(
  database: SqlDatabase,
  audit: AuditLog,
  now: () => number,
): OperatorPets {
  async function copyStaged(sql: Sql, count: number): Promise<void> {
    const startedAtMs = performance.now();
    for (let start = 0; start < count; start += SLICE) {
      await sql.all(COPY_SLICE, start, start + SLICE, now());
      // A service may have started meanwhile.
      if (performance.now() - startedAtMs > (await database.maxLockedMs(sql))) throw tooLarge();
    }
  }

  const selectLastId = database.selectLastId('pets');

  return {
    getPet: (id) => findPet(database, id),

    addPet: (newPet) =>
      database.transaction(async (sql) => {
        await sql.all(database.lockCreations);
        const [row] = await sql.allExact<Pet>(INSERT, now(), ...valuesOf(newPet));
        const pet = petIn(row as Pet);
        await audit.record(sql, petChange('pet.add', undefined, pet));
        return pet;
      }),

    setStatus: (id, status) =>
      database.transaction(async (sql) => {
        const old = await findPet(sql, id, database.forUpdate);
        if (old.status === status) return old;
        await sql.all('UPDATE pets SET status = $2 WHERE id = $1', id, status);
        await audit.record(sql, petChange('pet.set-status', old, { ...old, status }));
        return old;
      }),

    removePet: (id) =>
      database.transaction(async (sql) => {
        const old = await findPet(sql, id, database.forUpdate);
        await sql.all('DELETE FROM pets WHERE id = $1', id);
        await audit.record(sql, petChange('pet.remove', old, undefined));
        return old;
      }),

    /**
     * Pets are staged in a temporary table, which locks nothing. Then services wait only for the copy,
     * which takes a fraction of the time that reading and checking the pets took.
     */
    importPets: (batches, sizeBytes = 0) =>
      database.longTransaction(async (sql) => {
        if (sizeBytes > COPIED_BYTES_PER_MS * (await database.maxLockedMs(sql))) throw tooLarge();
        const count = await stage(sql, batches);
        await sql.all(database.lockCreations);
        await copyStaged(sql, count);
        await sql.all('DROP TABLE staged_pets');
        if (count === 0) return { count };
        const lastId = await readId(sql, selectLastId);
        const imported = { count, firstId: lastId - BigInt(count) + 1n, lastId };
        const subject = `pets ${imported.firstId} to ${lastId}`;
        await audit.record(sql, changeOf('pet.import', subject, undefined, imported));
        return imported;
      }),

    async *exportPets() {
      await using snapshot = await database.snapshot();
      for await (const row of snapshot.rows<Pet>(`${SELECT_PETS} ORDER BY id`)) yield petIn(row);
    },
  };
}

async function findPet(sql: Sql, id: bigint, lock = ''): Promise<Pet> {
  const [row] = await sql.allExact<Pet>(`${SELECT_PETS} WHERE id = $1 ${lock}`, id);
  if (row === undefined) throw new NotFoundError(`Pet ${id} does not exist.`);
  return petIn(row);
}

function tooLarge(): OperatorError {
  return new OperatorError(
    'This import is too large to run while the service runs. ' +
      'Stop the service, or split the file. Nothing was changed.',
  );
}

async function stage(sql: Sql, batches: AsyncIterable<readonly NewPet[]>): Promise<number> {
  await sql.all(
    `CREATE TEMPORARY TABLE staged_pets (place integer PRIMARY KEY, ${NEW_PET_DEFINITIONS})`,
  );
  const fields = ['place', ...NEW_PET_FIELDS];
  let count = 0;
  for await (const pets of batches) {
    const rows = pets.map((pet) => ({ ...pet, place: count++ }));
    await insert(sql, 'staged_pets', rows, fields);
  }
  return count;
}
