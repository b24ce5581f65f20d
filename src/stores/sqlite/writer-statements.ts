import type { Database } from 'bun:sqlite';
import { DAY_SECONDS, MINUTE_SECONDS } from '../../domain/durations.ts';
import {
  IDEMPOTENCY_KEY_LIFETIME_MS,
  type IdempotencyKey,
  SWEPT_PER_CREATION,
} from '../../domain/idempotency-key.ts';
import type { PeriodKind, PeriodOfUse } from '../../domain/operator/usage-history.ts';
import type { NewPet } from '../../domain/pet.ts';
import type { UsageChanges } from '../../domain/usage-journal.ts';
import { addPeriods, oldPeriods, PERIOD_FIELDS, selectAsDays } from '../sql/history.ts';

// The statements of the writer thread, prepared once.

type Row = Readonly<Record<string, string | number>>;

/** A pet to create. It travels to the writer thread as JSON, so an int64 travels as text. */
export interface Creation {
  readonly pet: PetText;
  readonly idempotencyKey: IdempotencyKey | undefined;
  readonly nowMs: number;
}

export type CreationResult = { readonly createdId: string } | EarlierCreation;

type PetText = Omit<NewPet, 'categoryId'> & { readonly categoryId: string };

/** The pet that the same idempotency key created, as it is now. */
interface EarlierCreation extends PetText {
  readonly id: string;
  readonly fingerprint: string;
}

/** Prepares the statements. The returned function creates pets in order in one transaction. */
export function prepareCreations(
  database: Database,
): (creations: readonly Creation[]) => CreationResult[] {
  // RETURNING would make the statement take two thirds longer.
  const insertPet = database.query<never, [string, bigint, string]>(
    'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)',
  );
  // A pet that was removed is replayed as it was created, from the retry.
  const findEarlier = database.query<EarlierCreation, Row>(
    `SELECT k.fingerprint, CAST(k.pet_id AS TEXT) AS id, coalesce(p.name, $name) AS name,
       coalesce(CAST(p.category_id AS TEXT), $categoryId) AS categoryId,
       coalesce(p.status, $status) AS status
     FROM idempotency_keys AS k LEFT JOIN pets AS p ON p.id = k.pet_id
     WHERE k.account_id = $accountId AND k.key = $key AND k.created_at > $after`,
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
    const after = timeMs - IDEMPOTENCY_KEY_LIFETIME_MS;
    const earlier = findEarlier.get({ ...pet, accountId, key, after });
    if (earlier !== null) return earlier;
    const id = insert(pet);
    saveIdempotencyKey.run(accountId, key, fingerprint, id, timeMs);
    // A test time must not expire the keys of other accounts.
    sweepIdempotencyKeys.run(nowMs - IDEMPOTENCY_KEY_LIFETIME_MS);
    return { createdId: `${id}` };
  }

  const inTransaction = database.transaction((all: readonly Creation[]) => all.map(create));
  return (creations) => inTransaction.immediate(creations);
}

/** Prepares the statements. Each of the returned functions is one transaction. */
export function prepareHistoryChanges(database: Database) {
  const values = PERIOD_FIELDS.map((field) => `$${field}`);
  const addPeriod = database.query<never, Row>(addPeriods(`VALUES (${values})`));
  const addUse = database.query<never, [number, number, number]>(
    `INSERT INTO key_uses AS k (account_id, key_id, last_at) VALUES (?, ?, ?)
     ON CONFLICT (account_id, key_id) DO UPDATE SET last_at = max(k.last_at, excluded.last_at)`,
  );
  const findAccount = database.query<object, [number]>('SELECT 1 FROM accounts WHERE id = ?');

  const add = database.transaction((periods: readonly PeriodOfUse[]) => {
    for (const period of periods) {
      // It was just removed.
      if (findAccount.get(period.accountId) === null) continue;
      addPeriod.run({ ...period });
      addUse.run(period.accountId, period.keyId, period.lastAtMs);
    }
  });
  const compact = database.transaction((kind: PeriodKind, beforeMs: number) => {
    const old = oldPeriods(kind);
    if (kind === 'hours') database.query(addPeriods(selectAsDays(old))).run(beforeMs);
    database.query(`DELETE FROM ${old}`).run(beforeMs);
  });
  return { add: add.immediate, compact: compact.immediate };
}

/** Prepares the statements. The returned function saves everything in one transaction. */
export function prepareUsageChanges(database: Database): (changes: UsageChanges) => void {
  const putUsage = database.query<never, Row>(
    `INSERT OR REPLACE INTO usage (subject, minute_start, minute_used, day_start, day_used)
     VALUES ($subject, $minuteStartSeconds, $minuteUsed, $dayStartSeconds, $dayUsed)`,
  );
  const putPenalty = database.query(
    'INSERT OR REPLACE INTO penalties (key_id, penalty) VALUES (?, ?)',
  );
  const deleteEndedUsage = database.query(
    'DELETE FROM usage WHERE day_start <= ? AND minute_start <= ?',
  );
  const deletePenalty = database.query('DELETE FROM penalties WHERE key_id = ?');

  const save = database.transaction(({ usages, penalties, endedBySeconds }: UsageChanges) => {
    for (const [subject, usage] of usages) putUsage.run({ subject, ...usage });
    if (endedBySeconds !== undefined) {
      deleteEndedUsage.run(endedBySeconds - DAY_SECONDS, endedBySeconds - MINUTE_SECONDS);
    }
    for (const [keyId, penalty] of penalties) {
      // Changes are sent as JSON, which makes null of undefined.
      if (penalty) putPenalty.run(keyId, JSON.stringify(penalty));
      else deletePenalty.run(keyId);
    }
  });
  return (changes) => save.immediate(changes);
}
