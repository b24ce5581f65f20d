import type { ReservedSQL } from 'bun';
import { INT64_MIN } from '../domain/int64.ts';
import {
  type Export,
  type RecordCounts,
  type RecordKind,
  type RecordOf,
  requireEmpty,
  type StoreRecord,
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
  const [row] = await sql`SELECT
    (SELECT count(*)::integer FROM accounts) AS account,
    (SELECT count(*)::integer FROM api_keys) AS key,
    (SELECT count(*)::integer FROM pets) AS pet,
    (SELECT count(*)::integer FROM idempotency_keys) AS "idempotencyKey"`;
  return row;
}

async function* readAll(sql: ReservedSQL): AsyncIterable<StoreRecord> {
  const accounts = pages<RecordOf<'account'>>(
    (last) => sql`SELECT id, name, plan, per_minute AS "perMinute", per_day AS "perDay",
        (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
      FROM accounts WHERE id > ${last?.id ?? 0} ORDER BY id LIMIT ${PAGE}`,
  );
  for await (const value of accounts) yield { kind: 'account', value };

  const keys = pages<RecordOf<'key'>>(
    (last) => sql`SELECT id, account_id AS "accountId", encode(hash, 'hex') AS hash, label,
        (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
        (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs",
        (extract(epoch FROM revoked_at) * 1000)::float8 AS "revokedAtMs",
        (extract(epoch FROM unbanned_at) * 1000)::float8 AS "unbannedAtMs",
        successor_id AS "successorId"
      FROM api_keys WHERE id > ${last?.id ?? 0} ORDER BY id LIMIT ${PAGE}`,
  );
  for await (const value of keys) yield { kind: 'key', value };

  const pets = pages<RecordOf<'pet'>>(
    (last) => sql`SELECT id, name, category_id AS "categoryId", status
      FROM pets WHERE id > ${last?.id ?? INT64_MIN} ORDER BY id LIMIT ${PAGE}`,
  );
  for await (const value of pets) yield { kind: 'pet', value };

  const idempotencyKeys = pages<RecordOf<'idempotencyKey'>>(
    (last) => sql`SELECT account_id AS "accountId", key, fingerprint, pet_id AS "petId",
        (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
      FROM idempotency_keys
      WHERE (account_id, key COLLATE "C") > (${last?.accountId ?? 0}, ${last?.key ?? ''})
      ORDER BY account_id, key COLLATE "C" LIMIT ${PAGE}`,
  );
  for await (const value of idempotencyKeys) yield { kind: 'idempotencyKey', value };
  await sql`COMMIT`;
}

/** Reads page after page, each starting after the last row of the previous one. */
async function* pages<T>(read: (last: T | undefined) => PromiseLike<T[]>): AsyncIterable<T> {
  for (let last: T | undefined; ; ) {
    const page = await read(last);
    yield* page;
    if (page.length < PAGE) return;
    last = page.at(-1);
  }
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
  const values = <Kind extends RecordKind>() => batch.map(({ value }) => value as RecordOf<Kind>);
  switch (batch[0]?.kind) {
    case 'account':
      await sql`INSERT INTO accounts ${sql(
        values<'account'>().map(({ id, name, plan, perMinute, perDay, createdAtMs }) => ({
          id,
          name,
          plan,
          per_minute: perMinute,
          per_day: perDay,
          created_at: new Date(createdAtMs),
        })),
      )}`;
      break;
    case 'key':
      await sql`INSERT INTO api_keys ${sql(
        values<'key'>().map((key) => ({
          id: key.id,
          account_id: key.accountId,
          label: key.label,
          hash: Buffer.from(key.hash, 'hex'),
          created_at: new Date(key.createdAtMs),
          expires_at: key.expiresAtMs === null ? null : new Date(key.expiresAtMs),
          revoked_at: key.revokedAtMs === null ? null : new Date(key.revokedAtMs),
          unbanned_at: new Date(key.unbannedAtMs),
        })),
      )}`;
      break;
    case 'pet':
      await insertPets(sql, values<'pet'>());
      break;
    case 'idempotencyKey':
      await sql`INSERT INTO idempotency_keys ${sql(
        values<'idempotencyKey'>().map(({ accountId, key, fingerprint, petId, createdAtMs }) => ({
          account_id: accountId,
          key,
          fingerprint,
          pet_id: petId,
          created_at: new Date(createdAtMs),
        })),
      )}`;
      break;
  }
}

async function insertPets(sql: ReservedSQL, pets: readonly RecordOf<'pet'>[]): Promise<void> {
  const { names, categoryIds, statuses } = petColumns(sql, pets);
  const ids = pets.map(({ id }) => id);
  await sql`INSERT INTO pets (id, name, category_id, status)
    SELECT * FROM unnest(${sql.array(ids, 'BIGINT')}::bigint[], ${names}::text[],
      ${categoryIds}::bigint[], ${statuses}::text[])`;
}
