import type { Database } from 'bun:sqlite';
import { compareWithEarlier, forgottenBeforeMs, type Once } from '../domain/idempotency.ts';
import type { CreatedPet, NewPet, PetStatus } from '../domain/pet.ts';
import type { UsageChanges } from '../domain/usage-journal.ts';

/** Something to write. Jobs cross into the writer's thread, so they are plain data. */
export type WriteJob =
  | { readonly kind: 'createPet'; readonly pet: NewPet; readonly once: Once | undefined }
  | { readonly kind: 'saveUsage'; readonly changes: UsageChanges };

export type WriteResult =
  | { readonly created: CreatedPet }
  | { readonly done: true }
  | { readonly keyReused: true };

interface IdempotencyRow {
  fingerprint: string;
  created_at: bigint;
  id: bigint;
  name: string;
  category_id: bigint;
  status: PetStatus;
}

/** How many forgotten idempotency keys a creation with a new one sweeps away. */
const SWEPT_PER_CREATION = 2;

/** Prepares all statements once; the function returned runs jobs in one transaction, in order. */
export function prepareWriteJobs(database: Database): (jobs: readonly WriteJob[]) => WriteResult[] {
  const insertPet = database.query<{ id: bigint }, [string, bigint, string]>(
    'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING id',
  );
  const findOnce = database.query<IdempotencyRow, [number, string]>(
    `SELECT k.fingerprint, k.created_at, p.id, p.name, p.category_id, p.status
     FROM idempotency_keys AS k JOIN pets AS p ON p.id = k.pet_id
     WHERE k.account_id = ? AND k.key = ?`,
  );
  const saveOnce = database.query(
    `INSERT OR REPLACE INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const sweepOnce = database.query(
    `DELETE FROM idempotency_keys WHERE (account_id, key) IN
     (SELECT account_id, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEPT_PER_CREATION})`,
  );
  const putUsage = database.query(
    `INSERT OR REPLACE INTO usage (subject, minute_start_s, minute_used, day_start_s, day_used)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const putPenalty = database.query(
    `INSERT OR REPLACE INTO penalties
     (key_id, refused_until_s, first_refused_at_s, refusals, strikes, banned_until_s, bans, unbanned_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeUsage = database.query('DELETE FROM usage WHERE subject = ?');
  const removePenalty = database.query('DELETE FROM penalties WHERE key_id = ?');

  function createPet(pet: NewPet, once: Once | undefined): WriteResult {
    if (once !== undefined) {
      const row = findOnce.get(once.accountId, once.key);
      const relation = row && compareWithEarlier(toEarlier(row), once);
      if (relation === 'mix-up') return { keyReused: true };
      if (row !== null && relation === 'repetition') {
        const { id, name, category_id: categoryId, status } = row;
        return { created: { pet: { id, name, categoryId, status }, replayed: true } };
      }
    }
    const inserted = insertPet.get(pet.name, pet.categoryId, pet.status);
    if (inserted === null) throw new Error('SQLite returned no id for an inserted animal');
    if (once !== undefined) {
      const { accountId, key, fingerprint, nowMs } = once;
      saveOnce.run(accountId, key, fingerprint, inserted.id, nowMs);
      sweepOnce.run(forgottenBeforeMs(nowMs));
    }
    return { created: { pet: { ...pet, id: inserted.id }, replayed: false } };
  }

  function saveUsage({ usages, penalties }: UsageChanges): void {
    for (const [subject, usage] of usages) {
      if (usage === undefined) removeUsage.run(subject);
      else {
        const { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed } = usage;
        putUsage.run(subject, minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed);
      }
    }
    for (const [keyId, penalty] of penalties) {
      if (penalty === undefined) removePenalty.run(keyId);
      else {
        putPenalty.run(
          keyId,
          penalty.refusedUntilSeconds,
          penalty.firstRefusedAtSeconds,
          penalty.refusals,
          JSON.stringify(penalty.strikes),
          penalty.bannedUntilSeconds,
          penalty.bans,
          penalty.unbannedAtMs,
        );
      }
    }
  }

  function run(job: WriteJob): WriteResult {
    switch (job.kind) {
      case 'createPet':
        return createPet(job.pet, job.once);
      case 'saveUsage':
        saveUsage(job.changes);
        return { done: true };
    }
  }

  const inTransaction = database.transaction((jobs: readonly WriteJob[]) => jobs.map(run));
  return (jobs) => inTransaction.immediate(jobs);
}

function toEarlier(row: IdempotencyRow) {
  return { fingerprint: row.fingerprint, createdAtMs: Number(row.created_at) };
}
