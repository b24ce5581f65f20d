import type { Database } from 'bun:sqlite';
import type { CountsChanges } from '../../domain/counts-journal.ts';
import { DAY_SECONDS, MINUTE_SECONDS } from '../../domain/durations.ts';
import {
  IDEMPOTENCY_KEY_LIFETIME_MS,
  type IdempotencyKey,
  SWEPT_PER_CREATION,
} from '../../domain/idempotency-key.ts';
import type { PeriodKind, PeriodOfUse } from '../../domain/operator/history.ts';
import { addPeriods, oldPeriods, PERIOD_FIELDS, selectAsDays } from '../sql/history.ts';
import { type CreationRow, NEW_PET_COLUMNS, PET_MEMBERS } from '../sql/pets.ts';

// The statements of the writer thread, prepared once.

type Row = Readonly<Record<string, string | number>>;

/** A pet to create, by the values of its columns. It travels to the writer thread as JSON. */
export interface RequestedPet {
  readonly values: readonly (string | number | boolean | null)[];
  readonly keyId: number | undefined;
  readonly idempotencyKey: IdempotencyKey | undefined;
  readonly nowMs: number;
}

export type RequestWrites = ReturnType<typeof prepareRequestWrites>;

/** Every write that a request waits for. The writer thread makes each a transaction. */
export function prepareRequestWrites(database: Database) {
  // RETURNING would make the statement take two thirds longer. The file turns text into integers.
  const insertPet = database.query<never, (string | number | boolean | null)[]>(
    `INSERT INTO pets (${NEW_PET_COLUMNS}, added_at, key_id)
     VALUES (${NEW_PET_COLUMNS.map(() => '?')}, ?, ?)`,
  );
  const findEarlier = database.query<CreationRow, [number, string, number]>(
    `SELECT CAST(k.pet_id AS TEXT) AS id, k.fingerprint, 
       CASE WHEN p.id IS NOT NULL THEN json_object(${PET_MEMBERS}) END AS pet
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

  function insert({ values, nowMs, keyId }: RequestedPet): CreationRow {
    const id = insertPet.run(...values, nowMs, keyId ?? null).lastInsertRowid;
    return { id: `${id}`, fingerprint: null, pet: null };
  }

  function create(creation: RequestedPet): CreationRow {
    const { idempotencyKey, nowMs } = creation;
    if (idempotencyKey === undefined) return insert(creation);
    const { accountId, key, fingerprint, offsetMs } = idempotencyKey;
    const timeMs = nowMs + offsetMs;
    const earlier = findEarlier.get(accountId, key, timeMs - IDEMPOTENCY_KEY_LIFETIME_MS);
    if (earlier !== null) return earlier;
    const created = insert(creation);
    saveIdempotencyKey.run(accountId, key, fingerprint, created.id, timeMs);
    // A test time must not expire the keys of other accounts.
    sweepIdempotencyKeys.run(nowMs - IDEMPOTENCY_KEY_LIFETIME_MS);
    return created;
  }

  return {
    createPets: (creations: readonly RequestedPet[]) => creations.map(create),
  };
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
export function prepareCountsChanges(database: Database): (changes: CountsChanges) => void {
  const putCounts = database.query<never, Row>(
    `INSERT OR REPLACE INTO usage (subject, minute_start, minute_used, day_start, day_used)
     VALUES ($subject, $minuteStartSeconds, $minuteUsed, $dayStartSeconds, $dayUsed)`,
  );
  const putPenalty = database.query(
    'INSERT OR REPLACE INTO penalties (key_id, penalty) VALUES (?, ?)',
  );
  const deleteEndedCounts = database.query(
    'DELETE FROM usage WHERE day_start <= ? AND minute_start <= ?',
  );
  const deletePenalty = database.query('DELETE FROM penalties WHERE key_id = ?');

  const save = database.transaction(({ counts, penalties, endedBySeconds }: CountsChanges) => {
    for (const [subject, each] of counts) putCounts.run({ subject, ...each });
    if (endedBySeconds !== undefined) {
      deleteEndedCounts.run(endedBySeconds - DAY_SECONDS, endedBySeconds - MINUTE_SECONDS);
    }
    for (const [keyId, penalty] of penalties) {
      // Changes are sent as JSON, which makes null of undefined.
      if (penalty) putPenalty.run(keyId, JSON.stringify(penalty));
      else deletePenalty.run(keyId);
    }
  });
  return (changes) => save.immediate(changes);
}
