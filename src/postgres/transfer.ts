import type { ReservedSQL } from 'bun';
import {
  type Export,
  RECORD_KINDS,
  type RecordCounts,
  type RecordOf,
  requireEmpty,
  type StoreRecord,
  TABLES,
} from '../domain/transfer.ts';
import { petColumns } from './pet-columns.ts';
import { openPool } from './pool.ts';

const PAGE = 5_000;
const BATCH = 1_000;

interface Connection extends AsyncDisposable {
  readonly sql: ReservedSQL;
}

export async function exportPostgres(url: string): Promise<Export> {
  await using opening = new AsyncDisposableStack();
  const { sql } = opening.use(await connect(url));
  // The transaction stays open until the last record is read: all of them are of one moment.
  await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
  const counts = await countAll(sql);
  const resources = opening.move();
  return {
    counts,
    records: readAll(sql),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export async function importIntoPostgres(
  url: string,
  records: AsyncIterable<StoreRecord>,
): Promise<void> {
  await using connection = await connect(url);
  const { sql } = connection;
  await sql`BEGIN`;
  try {
    await sql`LOCK TABLE accounts, api_keys, pets, idempotency_keys IN EXCLUSIVE MODE`;
    requireEmpty(await countAll(sql));
    await insertAll(sql, records);
    await sql`COMMIT`;
  } catch (error) {
    // A lost connection has already rolled back.
    await sql`ROLLBACK`.catch(() => {});
    throw error;
  }
}

async function connect(url: string): Promise<Connection> {
  const pool = await openPool(url, 1);
  const sql = await pool.sql.reserve();
  // A whole table takes longer than a request may.
  await sql`SET statement_timeout = 0`;
  return {
    sql,
    async [Symbol.asyncDispose]() {
      sql.release();
      await pool[Symbol.asyncDispose]();
    },
  };
}

async function countAll(sql: ReservedSQL): Promise<RecordCounts> {
  const counts = RECORD_KINDS.map(
    (kind) => `(SELECT count(*)::integer FROM ${TABLES[kind].name}) AS "${kind}"`,
  );
  const [row] = await sql.unsafe(`SELECT ${counts}`);
  return row;
}

async function* readAll(sql: ReservedSQL): AsyncIterable<StoreRecord> {
  for (const kind of RECORD_KINDS) {
    const { name, columns } = TABLES[kind];
    const fields = Object.entries(columns).map(
      ([field, column]) => `${fromColumn(column)} AS "${field}"`,
    );
    await sql.unsafe(`DECLARE records CURSOR FOR SELECT ${fields} FROM ${name} ORDER BY 1, 2`);
    for (let count = PAGE; count === PAGE; ) {
      const page: object[] = await sql.unsafe(`FETCH ${PAGE} FROM records`);
      for (const value of page) yield { kind, value } as StoreRecord;
      count = page.length;
    }
    await sql`CLOSE records`;
  }
  await sql`COMMIT`;
}

function fromColumn(column: string): string {
  if (column === 'hash') return `encode(hash, 'hex')`;
  return isTime(column) ? `(extract(epoch FROM ${column}) * 1000)::float8` : column;
}

function toColumn(column: string, value: unknown): unknown {
  if (column === 'hash') return Buffer.from(String(value), 'hex');
  return isTime(column) && value !== null ? new Date(Number(value)) : value;
}

function isTime(column: string): boolean {
  return column.endsWith('_at');
}

/** Records arrive sorted by kind, so batches of one kind are large. */
async function insertAll(sql: ReservedSQL, records: AsyncIterable<StoreRecord>): Promise<void> {
  const successors: [id: number, successorId: number][] = [];
  let batch: StoreRecord[] = [];
  for await (const record of records) {
    const [first] = batch;
    if (first !== undefined && (first.kind !== record.kind || batch.length === BATCH)) {
      await insertBatch(sql, batch);
      batch = [];
    }
    batch.push(record);
    if (record.kind === 'key' && record.value.successorId !== null) {
      successors.push([record.value.id, record.value.successorId]);
    }
  }
  if (batch.length > 0) await insertBatch(sql, batch);
  // A key may come before its successor.
  for (const [id, successorId] of successors) {
    await sql`UPDATE api_keys SET successor_id = ${successorId} WHERE id = ${id}`;
  }
  for (const table of ['accounts', 'api_keys', 'pets']) {
    await sql.unsafe(`SELECT setval(pg_get_serial_sequence('${table}', 'id'),
      greatest((SELECT max(id) FROM ${table}), 1), EXISTS (SELECT 1 FROM ${table}))`);
  }
}

async function insertBatch(sql: ReservedSQL, batch: readonly StoreRecord[]): Promise<void> {
  const kind = batch[0]?.kind ?? 'pet';
  const values = batch.map(({ value }) => value);
  if (kind === 'pet') return insertPets(sql, values as RecordOf<'pet'>[]);
  // The successor of a key may not be there yet.
  const { successor_id: _, ...columns } = fieldByColumn(TABLES[kind].columns);
  const rows = (values as Readonly<Record<string, unknown>>[]).map((value) =>
    Object.fromEntries(
      Object.entries(columns).map(([column, field]) => [column, toColumn(column, value[field])]),
    ),
  );
  await sql`INSERT INTO ${sql(TABLES[kind].name)} ${sql(rows)}`;
}

function fieldByColumn(columns: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(columns).map(([field, column]) => [column, field]));
}

async function insertPets(sql: ReservedSQL, pets: readonly RecordOf<'pet'>[]): Promise<void> {
  const { names, categoryIds, statuses } = petColumns(sql, pets);
  const ids = pets.map(({ id }) => id);
  await sql`INSERT INTO pets (id, name, category_id, status)
    SELECT * FROM unnest(${sql.array(ids, 'BIGINT')}::bigint[], ${names}::text[],
      ${categoryIds}::bigint[], ${statuses}::text[])`;
}
