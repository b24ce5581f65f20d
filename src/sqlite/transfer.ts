import type { Database } from 'bun:sqlite';
import {
  type Export,
  type RecordCounts,
  type RecordOf,
  requireEmpty,
  type StoreRecord,
} from '../domain/transfer.ts';
import { openDatabase } from './database.ts';
import { lockForServing } from './serve-lock.ts';

export function exportSqlite(path: string): Export {
  const database = openDatabase(path, { safeIntegers: true });
  // The transaction stays open until the last record is read: all of them are of one moment.
  database.run('BEGIN');
  return {
    counts: countAll(database),
    records: readAll(database),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** Nothing may serve the file meanwhile. */
export async function importIntoSqlite(
  path: string,
  records: AsyncIterable<StoreRecord>,
): Promise<void> {
  using resources = new DisposableStack();
  const database = openDatabase(path, { safeIntegers: true });
  resources.defer(() => database.close());
  resources.use(lockForServing(path));
  database.run('BEGIN IMMEDIATE');
  try {
    requireEmpty(countAll(database));
    // A key may come before its successor.
    database.run('PRAGMA defer_foreign_keys = ON');
    const insert = prepareInserts(database);
    for await (const record of records) insert(record);
    database.run('COMMIT');
  } catch (error) {
    database.run('ROLLBACK');
    throw error;
  }
}

function countAll(database: Database): RecordCounts {
  const count = (table: string) =>
    Number(database.query(`SELECT count(*) FROM ${table}`).values()[0]?.[0]);
  return {
    account: count('accounts'),
    key: count('api_keys'),
    pet: count('pets'),
    idempotencyKey: count('idempotency_keys'),
  };
}

async function* readAll(database: Database): AsyncIterable<StoreRecord> {
  const accounts = database.query<object, []>(
    `SELECT id, name, plan, per_minute AS perMinute, per_day AS perDay, created_at AS createdAtMs
     FROM accounts ORDER BY id`,
  );
  for (const row of accounts.iterate()) yield { kind: 'account', value: withNumbers(row) };

  const keys = database.query<object, []>(
    `SELECT id, account_id AS accountId, lower(hex(hash)) AS hash, label,
       created_at AS createdAtMs, expires_at AS expiresAtMs, revoked_at AS revokedAtMs,
       unbanned_at AS unbannedAtMs, successor_id AS successorId
     FROM api_keys ORDER BY id`,
  );
  for (const row of keys.iterate()) yield { kind: 'key', value: withNumbers(row) };

  const pets = database.query<RecordOf<'pet'>, []>(
    'SELECT id, name, category_id AS categoryId, status FROM pets ORDER BY id',
  );
  for (const value of pets.iterate()) yield { kind: 'pet', value };

  const idempotencyKeys = database.query<{ petId: bigint }, []>(
    `SELECT account_id AS accountId, key, fingerprint, pet_id AS petId, created_at AS createdAtMs
     FROM idempotency_keys ORDER BY account_id, key`,
  );
  for (const { petId, ...row } of idempotencyKeys.iterate()) {
    const rest = withNumbers<Omit<RecordOf<'idempotencyKey'>, 'petId'>>(row);
    yield { kind: 'idempotencyKey', value: { ...rest, petId } };
  }
  database.run('COMMIT');
}

/** The connection returns bigints for the sake of pets. Accounts and keys need numbers. */
function withNumbers<T>(row: object): T {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}

function prepareInserts(database: Database): (record: StoreRecord) => void {
  const account = database.query(
    'INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const key = database.query(
    `INSERT INTO api_keys (id, account_id, hash, label, created_at, expires_at, revoked_at,
       unbanned_at, successor_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const pet = database.query(
    'INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)',
  );
  const idempotencyKey = database.query(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  return ({ kind, value }) => {
    switch (kind) {
      case 'account': {
        const { id, name, plan, perMinute, perDay, createdAtMs } = value;
        account.run(id, name, plan, perMinute, perDay, createdAtMs);
        break;
      }
      case 'key':
        key.run(
          value.id,
          value.accountId,
          Uint8Array.fromHex(value.hash),
          value.label,
          value.createdAtMs,
          value.expiresAtMs,
          value.revokedAtMs,
          value.unbannedAtMs,
          value.successorId,
        );
        break;
      case 'pet':
        pet.run(value.id, value.name, value.categoryId, value.status);
        break;
      case 'idempotencyKey': {
        const { accountId, fingerprint, petId, createdAtMs } = value;
        idempotencyKey.run(accountId, value.key, fingerprint, petId, createdAtMs);
        break;
      }
    }
  };
}
