import { DAY_MS } from '#domain/durations.ts';
import { NotFoundError, OperatorError } from '#domain/error.ts';
import { changeOf } from '#domain/operator/audit.ts';
import type {
  ListedPet,
  OperatorPets,
  PetFilter,
  StoredPet,
} from '#domain/operator/operator-pets.ts';
import { NEW_PET_FIELDS, type NewPet, type Pet } from '#domain/pet.ts';
import { INT64_MAX } from '#formats/int64.ts';
import { findAccount } from './accounts.ts';
import type { Change } from './audit.ts';
import {
  listedPetIn,
  NEW_PET_COLUMNS,
  NEW_PET_DEFINITIONS,
  petIn,
  SELECT_LISTED_PETS,
  SELECT_PETS,
} from './pets.ts';
import { inSlice, insert, readId, type Sql, type SqlDatabase } from './sql.ts';

const SLICE = 10_000;
/** Each pet may be on another page, and all these pages are synced while creations wait. */
const REMOVED_AT_ONCE = 100;

/** A temporary table, which locks nothing and is deleted even if the process is killed. */
const IMPORTED = 'imported_pets';
const CREATE_IMPORTED = `CREATE TEMPORARY TABLE ${IMPORTED}
  (place integer PRIMARY KEY, ${NEW_PET_DEFINITIONS})`;

const COPY_SLICE = `INSERT INTO pets (added_at, ${NEW_PET_COLUMNS})
  SELECT CAST($3 AS bigint), ${NEW_PET_COLUMNS} FROM ${IMPORTED}
  WHERE place >= $1 AND place < $2 ORDER BY place`;

/** The origin of a pet is compared, so that no pet of another store is removed by mistake. */
const REMOVE = 'DELETE FROM pets WHERE id = $1 AND added_at = $2 AND key_id = $3 RETURNING id';

/** The least id of the slice below `$1`, and when its newest pet was added. No row if it is empty. */
const sliceBelow = (ofStatus = '') => `SELECT min(id) AS id, max(added_at) AS "addedAtMs" FROM
  (SELECT id, added_at FROM pets WHERE id < $1 ${ofStatus} ORDER BY id DESC LIMIT ${SLICE}) AS slice
  HAVING count(*) > 0`;

/**
 * The pets from `$1` to below `$2` that match. A value that is NULL matches all. PostgreSQL infers the type of
 * a value from the place where it occurs first, so each value is first compared with a column.
 */
const matches = (ofStatus = '') => `${SELECT_LISTED_PETS} WHERE id >= $1 AND id < $2 ${ofStatus}
  AND (key_id = $3 OR $3 IS NULL)
  AND (added_at >= $4 OR $4 IS NULL) AND (added_at <= $5 OR $5 IS NULL)
  AND (key_id IN (SELECT id FROM api_keys WHERE account_id = $6) OR $6 IS NULL)
  ORDER BY id DESC LIMIT $7`;

export function sqlOperatorPets(
  database: SqlDatabase,
  change: Change,
  now: () => number,
): OperatorPets {
  return {
    getPet: async (id) => listedPetIn(await findPet(database, SELECT_LISTED_PETS, id)),

    findPets: (filter) => findPets(database, filter),

    addPet: (newPet) =>
      change(async (sql, addedAtMs) => {
        await sql.all(database.lockCreations);
        await insert(sql, 'pets', [{ ...newPet, addedAtMs }]);
        const id = await readId(sql, database.selectLastId('pets'));
        const pet = { id, ...newPet };
        return [pet, changeOf('pet.add', `pet ${id}`, undefined, pet)];
      }),

    setStatus: (id, status) =>
      change(async (sql) => {
        const old = petIn(await findPet(sql, SELECT_PETS, id, database.forUpdate));
        await sql.all('UPDATE pets SET status = $2 WHERE id = $1', id, status);
        return [old, changeOf('pet.set-status', `pet ${id}`, old, { ...old, status })];
      }),

    removePet: (id) =>
      change(async (sql) => {
        const old = petIn(await findPet(sql, SELECT_PETS, id, database.forUpdate));
        await sql.all('DELETE FROM pets WHERE id = $1', id);
        return [old, changeOf('pet.remove', `pet ${id}`, old, undefined)];
      }),

    async removePets(pets, value, show) {
      let removed = 0;
      for (let start = 0; start < pets.length; start += REMOVED_AT_ONCE) {
        const slice = pets.slice(start, start + REMOVED_AT_ONCE);
        removed += await inSlice('write', () => change((sql) => removeSlice(sql, slice, value)));
        show?.(start + slice.length, 'pets', pets.length);
      }
      return removed;
    },

    /**
     * Pets are first collected in a temporary table. So services wait only for the copy, which takes a fraction of
     * the time that it takes to read and check the pets.
     */
    importPets: (batches) =>
      change(async (sql) => {
        const count = await collect(database, sql, batches);
        await sql.all(database.lockCreations);
        const startedAtMs = performance.now();
        for (let start = 0; start < count; start += SLICE) {
          await sql.all(COPY_SLICE, start, start + SLICE, now());
          await requireShort(database, sql, performance.now() - startedAtMs);
        }
        await sql.all(`DROP TABLE ${IMPORTED}`);
        if (count === 0) return [{ count }, undefined];
        const lastId = await readId(sql, database.selectLastId('pets'));
        const imported = { count, firstId: lastId - BigInt(count) + 1n, lastId };
        const subject = `pets ${imported.firstId} to ${lastId}`;
        return [imported, changeOf('pet.import', subject, undefined, imported)];
      }, database.longTransaction),

    async *exportPets() {
      await using snapshot = await database.snapshot();
      for await (const row of snapshot.rows<Pet>(`${SELECT_PETS} ORDER BY id`)) yield petIn(row);
    },
  };
}

async function findPet<Row>(sql: Sql, select: string, id: bigint, lock = ''): Promise<Row> {
  const [row] = await sql.allExact<Row>(`${select} WHERE id = $1 ${lock}`, id);
  if (row === undefined) throw new NotFoundError(`Pet ${id} does not exist.`);
  return row;
}

/**
 * Ids grow with time, so this needs no index but that of status. Pets without a time do not end the search.
 */
async function* findPets(database: SqlDatabase, filter: PetFilter) {
  const { account, keyId = null, sinceMs = null, untilMs = null, status } = filter;
  const owner = account === undefined ? null : await findAccount(database, account);
  const values = [keyId, sinceMs, untilMs, owner?.id ?? null];
  const statuses = status === undefined ? [] : [status];
  const selectSlice = sliceBelow(status && 'AND status = $2');
  const selectMatches = matches(status && 'AND status = $8');
  let missing = filter.limit ?? Number.MAX_SAFE_INTEGER;
  for (let below = filter.beforeId ?? INT64_MAX; missing > 0; ) {
    const [slice] = await inSlice('read', () =>
      database.allExact<{ id: bigint; addedAtMs: bigint | null }>(selectSlice, below, ...statuses),
    );
    if (slice === undefined) return;
    const { id, addedAtMs } = slice;
    const found = await inSlice('read', () =>
      database.allExact<ListedPet>(selectMatches, id, below, ...values, missing, ...statuses),
    );
    yield found.map(listedPetIn);
    // The clocks of instances differ, and one may have been wrong for a while.
    if (addedAtMs !== null && addedAtMs < (sinceMs ?? 0) - DAY_MS) return;
    missing -= found.length;
    below = id;
  }
}

async function removeSlice(sql: Sql, pets: readonly StoredPet[], value: object) {
  const removals = pets.map(({ id, addedAtMs = null, keyId = null }) =>
    sql.all(REMOVE, id, addedAtMs, keyId),
  );
  const count = (await Promise.all(removals)).flat().length;
  const subject = `pets ${pets.at(-1)?.id} to ${pets[0]?.id}`;
  const entry = changeOf('pet.remove', subject, { count, ...value }, undefined);
  return [count, count > 0 ? entry : undefined] as const;
}

/**
 * Reads the pets to import into the temporary table, and returns their number. The copy that follows takes half
 * as long as this on SQLite, and about as long on PostgreSQL. So if the copy would take too long, this is
 * clear long before the last pets are read.
 */
async function collect(
  database: SqlDatabase,
  sql: Sql,
  batches: AsyncIterable<readonly NewPet[]>,
): Promise<number> {
  await sql.all(CREATE_IMPORTED);
  let count = 0;
  let tookMs = 0;
  for await (const pets of batches) {
    const rows = pets.map((pet) => ({ ...pet, place: count++ }));
    const startedAtMs = performance.now();
    await insert(sql, IMPORTED, rows, ['place', ...NEW_PET_FIELDS]);
    tookMs += performance.now() - startedAtMs;
    await requireShort(database, sql, tookMs);
  }
  return count;
}

/** Throws if services would wait for this long. Asks each time, because a service may have started meanwhile. */
async function requireShort(database: SqlDatabase, sql: Sql, copyMs: number): Promise<void> {
  if (copyMs <= (await database.maxLockedMs(sql))) return;
  throw new OperatorError(
    'This import is too large to run while the service runs. ' +
      'Stop the service, or split the file. Nothing was changed.',
  );
}
