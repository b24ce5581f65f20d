import type { ReservedSQL, SQL } from 'bun';
import { notExported, notImported } from '../../domain/environment.ts';
import { storeImportChange } from '../../domain/operator/audit.ts';
import {
  type Export,
  RECORD_KINDS,
  requireEmpty,
  requireFreeIds,
  type StoreRecord,
} from '../../domain/operator/transfer.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import { belongsToStaging } from '../sql/staging-store.ts';
import { COUNT_ALL, columnOf, selectRecords, TABLES, toRecord } from '../sql/tables.ts';
import { readCursor } from './cursor.ts';
import { type OpenOptions, openExistingPool, openPool } from './open-pool.ts';
import type { Pool } from './pool.ts';
import { runSteps } from './run-steps.ts';

const BATCH = 1_000;

export async function exportPostgres(url: string, options: OpenOptions): Promise<Export> {
  await using opening = new AsyncDisposableStack();
  const sql = await reserve(await openExistingPool(url, options), opening);
  // The transaction stays open until the last record is read: all of them are of one moment.
  await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
  if (await runSteps(sql, belongsToStaging())) throw notExported();
  const [counts] = await sql.unsafe(COUNT_ALL);
  const lastPetId = await readLastPetId(sql);
  const resources = opening.move();
  return {
    counts,
    lastPetId,
    records: readAll(sql),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export async function importIntoPostgres(
  url: string,
  options: OpenOptions,
  records: AsyncIterable<StoreRecord>,
  lastPetId: bigint,
  audit: AuditLog,
): Promise<void> {
  requireFreeIds(lastPetId);
  await using resources = new AsyncDisposableStack();
  const sql = await reserve(await openPool(url, options), resources);
  await sql`BEGIN`;
  try {
    await sql`SELECT commit_durably()`;
    await sql.unsafe(`LOCK TABLE ${Object.values(TABLES).join(', ')} IN EXCLUSIVE MODE`);
    const [counts] = await sql.unsafe(COUNT_ALL);
    if (await runSteps(sql, belongsToStaging())) throw notImported();
    requireEmpty(counts);
    await insertAll(sql, records);
    await continueIds(sql, lastPetId);
    const [imported] = await sql.unsafe(COUNT_ALL);
    await runSteps(sql, audit.record(storeImportChange(imported)));
    await sql`COMMIT`;
  } catch (error) {
    // A lost connection has already rolled back.
    await sql`ROLLBACK`.catch(() => {});
    throw error;
  }
}

/** The greatest id that a pet ever had. */
export async function readLastPetId(sql: SQL): Promise<bigint> {
  const [{ lastPetId }] = await sql`SELECT coalesce(
    pg_sequence_last_value(pg_get_serial_sequence('pets', 'id')::regclass), 0) AS "lastPetId"`;
  return BigInt(lastPetId);
}

async function reserve(pool: Pool, resources: AsyncDisposableStack): Promise<ReservedSQL> {
  resources.use(pool);
  const sql = await pool.sql.reserve();
  resources.defer(() => sql.release());
  // A whole table takes longer than a request may.
  await sql`SET statement_timeout = 0`;
  return sql;
}

async function* readAll(sql: ReservedSQL): AsyncIterable<StoreRecord> {
  for (const kind of RECORD_KINDS) {
    for await (const row of readCursor<object>(sql, selectRecords(kind))) yield toRecord(kind, row);
  }
  await sql`COMMIT`;
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
}

/** An id is never used again, not even that of a removed pet. */
async function continueIds(sql: ReservedSQL, lastPetId: bigint): Promise<void> {
  for (const table of ['accounts', 'api_keys', 'pets', 'audit']) {
    const [{ greatest }] = await sql.unsafe(
      `SELECT coalesce(max(id), 0) AS greatest FROM ${table}`,
    );
    const used = BigInt(greatest);
    const last = table === 'pets' && lastPetId > used ? lastPetId : used;
    if (table === 'pets') requireFreeIds(last);
    if (last > 0n)
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${last}::bigint)`;
  }
}

async function insertBatch(sql: ReservedSQL, batch: readonly StoreRecord[]): Promise<void> {
  const kind = batch[0]?.kind ?? 'pet';
  const rows = batch.map(({ value }) => {
    const entries = Object.entries(value).map(([field, content]) => [
      columnOf(field),
      field === 'hash' ? Buffer.from(String(content), 'hex') : content,
    ]);
    const { successor_id: _, ...row } = Object.fromEntries(entries);
    return row;
  });
  await sql`INSERT INTO ${sql(TABLES[kind])} ${sql(rows)}`;
}
