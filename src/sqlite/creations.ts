import type { Database } from 'bun:sqlite';
import {
  compareWithEarlier,
  type IdempotencyKey,
  idempotencyCutoffMs,
} from '../domain/idempotency.ts';
import type { NewPet, PetStatus } from '../domain/pet.ts';

/** A pet to create. It travels to the writer thread as JSON, so an int64 travels as text. */
export interface Creation {
  readonly pet: PetText;
  readonly idempotencyKey: IdempotencyKey | undefined;
}

export type CreationResult =
  | { readonly createdId: string }
  | { readonly replayed: PetText & { readonly id: string } }
  | { readonly keyReused: true };

type PetText = Omit<NewPet, 'categoryId'> & { readonly categoryId: string };

interface IdempotencyRow {
  fingerprint: string;
  created_at: bigint;
  id: bigint;
  name: string;
  category_id: bigint;
  status: PetStatus;
}

/** Expired idempotency keys that a creation with a new key deletes. */
const SWEPT_PER_CREATION = 2;

/** Prepares the statements. The returned function creates pets in order in one transaction. */
export function prepareCreations(
  database: Database,
): (creations: readonly Creation[]) => CreationResult[] {
  // RETURNING would make the statement take two thirds longer.
  const insertPet = database.query<never, [string, bigint, string]>(
    'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)',
  );
  const findIdempotencyKey = database.query<IdempotencyRow, [number, string]>(
    `SELECT k.fingerprint, k.created_at, p.id, p.name, p.category_id, p.status
     FROM idempotency_keys AS k JOIN pets AS p ON p.id = k.pet_id
     WHERE k.account_id = ? AND k.key = ?`,
  );
  const saveIdempotencyKey = database.query(
    `INSERT OR REPLACE INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const sweepIdempotencyKeys = database.query(
    `DELETE FROM idempotency_keys WHERE (account_id, key) IN
     (SELECT account_id, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEPT_PER_CREATION})`,
  );

  function create({ pet, idempotencyKey }: Creation): CreationResult {
    if (idempotencyKey !== undefined) {
      const row = findIdempotencyKey.get(idempotencyKey.accountId, idempotencyKey.key);
      const relation = row && compareWithEarlier(toEarlier(row), idempotencyKey);
      if (relation === 'reused') return { keyReused: true };
      if (row !== null && relation === 'retry') {
        const { id, name, category_id: categoryId, status } = row;
        return { replayed: { id: `${id}`, name, categoryId: `${categoryId}`, status } };
      }
    }
    const { lastInsertRowid: id } = insertPet.run(pet.name, BigInt(pet.categoryId), pet.status);
    if (idempotencyKey !== undefined) {
      const { accountId, key, fingerprint, nowMs } = idempotencyKey;
      saveIdempotencyKey.run(accountId, key, fingerprint, id, nowMs);
      sweepIdempotencyKeys.run(idempotencyCutoffMs(nowMs));
    }
    return { createdId: `${id}` };
  }

  const inTransaction = database.transaction((all: readonly Creation[]) => all.map(create));
  return (creations) => inTransaction.immediate(creations);
}

function toEarlier(row: IdempotencyRow) {
  return { fingerprint: row.fingerprint, createdAtMs: Number(row.created_at) };
}
