import { OperatorError } from '#domain/error.ts';
import { changeOf } from '#domain/operator/audit.ts';
import type { StoredPet } from '#domain/operator/operator-pets.ts';
import {
  type Export,
  type LastIds,
  NUMBERED_KINDS,
  RECORD_FIELDS,
  RECORD_KINDS,
  type RecordCounts,
  type StoreRecord,
} from '#domain/operator/transfer.ts';
import { type ChangeOptions, changer } from './audit.ts';
import { readStore } from './environment.ts';
import { PERIODS_TO_READ } from './history.ts';
import { storedPetIn } from './pets.ts';
import {
  type Fields,
  insert,
  readId,
  type Snapshot,
  type Sql,
  type SqlDatabase,
  selectList,
  TABLES,
} from './sql.ts';

const SOURCES = { ...TABLES, usagePeriod: PERIODS_TO_READ };

/** A query that returns one row of `RecordCounts`. */
export const COUNT_ALL = `SELECT ${RECORD_KINDS.map(
  (kind) => `(SELECT count(*) FROM ${SOURCES[kind]}) AS "${kind}"`,
)}`;

export async function exportStore(database: SqlDatabase): Promise<Export> {
  if ((await readStore(database)).environment !== 'production') {
    throw new OperatorError(
      'A staging store cannot be exported. To copy it, make a backup; to copy only pets, use "pets export".',
    );
  }
  // If something below fails, the snapshot closes with the database, because only a command exports.
  const snapshot = await database.snapshot();
  const counts = await countAll(snapshot);
  const lastIds = await Array.fromAsync(NUMBERED_KINDS, async (kind) => [
    kind,
    await readId(snapshot, database.selectLastId(TABLES[kind])),
  ]);
  return {
    counts,
    lastIds: Object.fromEntries(lastIds),
    records: readAll(snapshot),
    [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
  };
}

/** Reads all records. Their integers are bigints, which become JSON with every digit. */
async function* readAll(snapshot: Snapshot): AsyncIterable<StoreRecord> {
  for (const kind of RECORD_KINDS) {
    const select = `SELECT ${selectList(RECORD_FIELDS[kind])} FROM ${SOURCES[kind]} ORDER BY 1, 2`;
    for await (const row of snapshot.rows<{ readonly hash?: Uint8Array }>(select)) {
      const value = row.hash ? { ...row, hash: row.hash.toHex() } : row;
      yield {
        kind,
        value: kind === 'pet' ? storedPetIn(value as StoredPet) : value,
      } as StoreRecord;
    }
  }
}

/** Imports everything or nothing. */
export async function importStore(
  database: SqlDatabase,
  batches: AsyncIterable<readonly StoreRecord[]>,
  lastIds: LastIds,
  options: ChangeOptions,
): Promise<void> {
  try {
    await changer(database, options)(async (sql) => {
      await sql.all(database.lockAll);
      // The keys of an export begin with the prefix of production.
      if ((await readStore(sql)).environment !== 'production') {
        throw new OperatorError(
          'The store to import into belongs to staging, which would refuse the keys of an export. ' +
            'To copy pets, use "pets import". Nothing was changed.',
        );
      }
      const counts = Object.values(await countAll(sql));
      if (counts.some((count) => count > 0)) {
        throw new OperatorError('The store to import into is not empty. Nothing was changed.');
      }
      await insertAll(sql, batches);
      for (const kind of NUMBERED_KINDS) {
        const table = TABLES[kind];
        const used = await readId(sql, `SELECT CAST(max(id) AS bigint) AS id FROM ${table}`);
        const known = lastIds[kind];
        await database.continueIds(sql, table, used > known ? used : known);
      }
      const imported = { counts: await countAll(sql) };
      return [undefined, changeOf('store.import', 'store', undefined, imported)];
    }, database.longTransaction);
  } catch (error) {
    if (!database.isViolation(error)) throw error;
    const { message } = error as Error;
    throw new OperatorError(`The export contradicts itself: ${message}. Nothing was changed.`);
  }
}

async function countAll(sql: Sql): Promise<RecordCounts> {
  const [counts] = await sql.all<RecordCounts>(COUNT_ALL);
  return counts as RecordCounts;
}

/** Records arrive sorted by kind, so nearly every batch is of one kind. */
async function insertAll(sql: Sql, batches: AsyncIterable<readonly StoreRecord[]>): Promise<void> {
  for await (const records of batches) {
    for (const [kind, group] of Map.groupBy(records, (record) => record.kind)) {
      await insert(sql, TABLES[kind], group.map(toRow), RECORD_FIELDS[kind]);
    }
  }
}

function toRow({ kind, value }: StoreRecord): Fields {
  return kind === 'key' ? { ...value, hash: Uint8Array.fromHex(value.hash) } : { ...value };
}
