import type { Database } from 'bun:sqlite';
import {
  IDEMPOTENCY_KEY_LIFETIME_MS,
  type IdempotencyKey,
  type NewPet,
  SWEPT_PER_CREATION,
} from '../../domain/pet.ts';

/** A pet to create. It travels to the writer thread as JSON, so an int64 travels as text. */
export interface Creation {
  readonly pet: PetText;
  readonly idempotencyKey: IdempotencyKey | undefined;
  readonly nowMs: number;
}

export type CreationResult =
  | { readonly createdId: string }
  | { readonly replayed: CreatedPetText }
  | { readonly keyReused: true };

type PetText = Omit<NewPet, 'categoryId'> & { readonly categoryId: string };
type CreatedPetText = PetText & { readonly id: string };

interface EarlierCreation {
  readonly fingerprint: string;
  readonly petId: string;
  /** Null if the pet was removed since. */
  readonly name: string | null;
  readonly categoryId: string | null;
  readonly status: NewPet['status'] | null;
}

/** Prepares the statements. The returned function creates pets in order in one transaction. */
export function prepareCreations(
  database: Database,
): (creations: readonly Creation[]) => CreationResult[] {
  // RETURNING would make the statement take two thirds longer.
  const insertPet = database.query<never, [string, bigint, string]>(
    'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)',
  );
  const findEarlier = database.query<EarlierCreation, [number, string, number]>(
    `SELECT k.fingerprint, CAST(k.pet_id AS TEXT) AS petId, p.name,
       CAST(p.category_id AS TEXT) AS categoryId, p.status
     FROM idempotency_keys AS k LEFT JOIN pets AS p ON p.id = k.pet_id
     WHERE k.account_id = ? AND k.key = ? AND k.created_at > ?`,
  );
  const saveIdempotencyKey = database.query(
    `INSERT OR REPLACE INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const sweepIdempotencyKeys = database.query(
    `DELETE FROM idempotency_keys WHERE (account_id, key) IN
     (SELECT account_id, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEPT_PER_CREATION})`,
  );

  function insert(pet: PetText): number | bigint {
    return insertPet.run(pet.name, BigInt(pet.categoryId), pet.status).lastInsertRowid;
  }

  function create({ pet, idempotencyKey, nowMs }: Creation): CreationResult {
    if (idempotencyKey === undefined) return { createdId: `${insert(pet)}` };
    const { accountId, key, fingerprint, offsetMs } = idempotencyKey;
    const timeMs = nowMs + offsetMs;
    const earlier = findEarlier.get(accountId, key, timeMs - IDEMPOTENCY_KEY_LIFETIME_MS);
    if (earlier !== null) {
      return earlier.fingerprint === fingerprint
        ? { replayed: replayOf(earlier, pet) }
        : { keyReused: true };
    }
    const id = insert(pet);
    saveIdempotencyKey.run(accountId, key, fingerprint, id, timeMs);
    // A test time must not expire the keys of other accounts.
    sweepIdempotencyKeys.run(nowMs - IDEMPOTENCY_KEY_LIFETIME_MS);
    return { createdId: `${id}` };
  }

  const inTransaction = database.transaction((all: readonly Creation[]) => all.map(create));
  return (creations) => inTransaction.immediate(creations);
}

/** The pet as it is now. A pet that was removed is replayed as it was created, from the retry. */
function replayOf({ petId, name, categoryId, status }: EarlierCreation, pet: PetText) {
  if (name === null || categoryId === null || status === null) return { ...pet, id: petId };
  return { id: petId, name, categoryId, status };
}
