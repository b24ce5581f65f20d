import { OperatorError } from '../../domain/error.ts';
import { changeOf } from '../../domain/operator/audit.ts';
import type { StoredPet } from '../../domain/operator/operator-pets.ts';
import {
  type Export,
  type LastIds,
  NUMBERED_KINDS,
  RECORD_FIELDS,
  RECORD_KINDS,
  type RecordCounts,
  type StoreRecord,
} from '../../domain/operator/transfer.ts';
import type { AuditLog } from './audit.ts';
import { environmentOf } from './environment.ts';
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

const BATCH = 1_000;

export async function exportStore(database: SqlDatabase): Promise<Export> {
  if ((await environmentOf(database)) !== 'production') {
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
      const value = row.hash ? { ...row, hash: Buffer.from(row.hash).toString('hex') } : row;
      yield {
        kind,
        value: kind === 'pet' ? storedPetIn(value as StoredPet) : value,
      } as StoreRecord;
    }
  }
}

export async function importStore(
  database: SqlDatabase,
  records: AsyncIterable<StoreRecord>,
  lastIds: LastIds,
  audit: AuditLog,
): Promise<void> {
  try {
    await database.longTransaction(async (sql) => {
      await sql.all(database.lockAll);
      // The keys of an export begin with the prefix of production.
      if ((await environmentOf(sql)) !== 'production') {
        throw new OperatorError(
          'The store to import into belongs to staging, which would refuse the keys of an export. ' +
            'To copy pets, use "pets import". Nothing was changed.',
        );
      }
      const counts = Object.values(await countAll(sql));
      if (counts.some((count) => count > 0)) {
        throw new OperatorError('The store to import into is not empty. Nothing was changed.');
      }
      await insertAll(sql, records);
      for (const kind of NUMBERED_KINDS) {
        const table = TABLES[kind];
        const used = await readId(sql, `SELECT CAST(max(id) AS bigint) AS id FROM ${table}`);
        const known = lastIds[kind];
        await database.continueIds(sql, table, used > known ? used : known);
      }
      const imported = { counts: await countAll(sql) };
      await audit.record(sql, changeOf('store.import', 'store', undefined, imported));
    });
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

/** Inserts records in batches of one kind. The batches are large, because records arrive sorted by kind. */
async function insertAll(sql: Sql, records: AsyncIterable<StoreRecord>): Promise<void> {
  let batch: StoreRecord[] = [];
  for await (const record of records) {
    if (batch.length === BATCH || (batch[0] && batch[0].kind !== record.kind)) {
      await insertBatch(sql, batch);
      batch = [];
    }
    batch.push(record);
  }
  await insertBatch(sql, batch);
}

async function insertBatch(sql: Sql, batch: readonly StoreRecord[]): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const fields = RECORD_FIELDS[first.kind];
  await insert(sql, TABLES[first.kind], batch.map(toRow), fields);
}

function toRow({ kind, value }: StoreRecord): Fields {
  return kind === 'key' ? { ...value, hash: Buffer.from(value.hash, 'hex') } : { ...value };
}
