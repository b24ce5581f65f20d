import { notExported, notImported } from '../../domain/environment.ts';
import { storeChange } from '../../domain/operator/audit.ts';
import {
  type Export,
  type LastIds,
  missingRecord,
  NUMBERED_KINDS,
  RECORD_FIELDS,
  RECORD_KINDS,
  type RecordCounts,
  repeatedRecord,
  requireEmpty,
  requireFreeIds,
  type StoreRecord,
} from '../../domain/operator/transfer.ts';
import type { AuditLog } from './audit.ts';
import { environmentOf } from './environment.ts';
import {
  columnOf,
  insertRows,
  readId,
  type Snapshot,
  type Sql,
  type SqlDatabase,
  selectList,
  type Value,
  withNumbers,
} from './sql.ts';
import { TABLES } from './tables.ts';

/** One row of `RecordCounts`. */
export const COUNT_ALL = `SELECT ${RECORD_KINDS.map(
  (kind) => `(SELECT count(*) FROM ${TABLES[kind]}) AS "${kind}"`,
)}`;

const BATCH = 1_000;

/** Closes the database after the last record. */
export async function exportStore(database: SqlDatabase): Promise<Export> {
  await using opening = new AsyncDisposableStack();
  opening.use(database);
  const snapshot = opening.use(await database.snapshot());
  if ((await environmentOf(snapshot)) !== 'production') throw notExported();
  const counts = await countAll(snapshot);
  const lastIds = await Array.fromAsync(NUMBERED_KINDS, async (kind) => [
    kind,
    await readId(snapshot, database.selectLastId(TABLES[kind])),
  ]);
  const resources = opening.move();
  return {
    counts,
    lastIds: Object.fromEntries(lastIds),
    records: readAll(snapshot),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function* readAll(snapshot: Snapshot): AsyncIterable<StoreRecord> {
  for (const kind of RECORD_KINDS) {
    const select = `SELECT ${selectList(RECORD_FIELDS[kind])} FROM ${TABLES[kind]} ORDER BY 1, 2`;
    for await (const row of snapshot.rows<ExactRow>(select)) {
      yield { kind, value: kind === 'pet' ? row : toValue(row) } as unknown as StoreRecord;
    }
  }
}

interface ExactRow {
  readonly hash?: Uint8Array;
  readonly petId?: bigint;
}

function toValue(row: ExactRow): object {
  const { hash, petId } = row;
  if (hash) return { ...withNumbers(row), hash: Buffer.from(hash).toString('hex') };
  return petId === undefined ? withNumbers(row) : { ...withNumbers(row), petId };
}

export async function importStore(
  database: SqlDatabase,
  records: AsyncIterable<StoreRecord>,
  lastIds: Partial<LastIds>,
  audit: AuditLog,
): Promise<void> {
  requireFreeIds(lastIds.pet ?? 0);
  try {
    await database.longTransaction(async (sql) => {
      await sql.all(database.lockAll);
      if ((await environmentOf(sql)) !== 'production') throw notImported();
      requireEmpty(await countAll(sql));
      await insertAll(sql, records);
      for (const kind of NUMBERED_KINDS) {
        const table = TABLES[kind];
        const used = await readId(sql, `SELECT CAST(max(id) AS bigint) AS id FROM ${table}`);
        // First, since PostgreSQL would not undo a change of a sequence.
        if (kind === 'pet') requireFreeIds(used);
        const known = lastIds[kind] ?? 0;
        await database.continueIds(sql, table, used > known ? used : known);
      }
      await audit.record(sql, storeChange('store.import', { counts: await countAll(sql) }));
    });
  } catch (error) {
    const violated = database.violated(error);
    if (violated === 'unique') throw repeatedRecord();
    throw violated === 'reference' ? missingRecord() : error;
  }
}

async function countAll(sql: Sql): Promise<RecordCounts> {
  const [counts] = await sql.all<RecordCounts>(COUNT_ALL);
  return counts as RecordCounts;
}

/** Records arrive sorted by kind, so batches of one kind are large. */
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
  const rows = batch.map((record) => valuesOf(record, fields));
  await insertRows(sql, TABLES[first.kind], fields.map(columnOf), rows);
}

function valuesOf({ value }: StoreRecord, fields: readonly string[]): Value[] {
  const values: Readonly<Record<string, Value>> = value;
  return fields.map((field) => {
    const content = values[field] ?? null;
    return field === 'hash' ? Buffer.from(String(content), 'hex') : content;
  });
}
