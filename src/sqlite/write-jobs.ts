import type { Database } from 'bun:sqlite';
import { AppError, type ErrorCode } from '../domain/error.ts';
import { forgottenBeforeMs, isRepetition, type Once } from '../domain/idempotency.ts';
import type { CreatedPet, NewPet, PetStatus } from '../domain/pet.ts';
import type { UsageChanges } from '../domain/usage-journal.ts';

/** Something to write. Jobs cross into the writer's thread, so they are plain data. */
export type WriteJob =
  | { readonly kind: 'createPet'; readonly pet: NewPet; readonly once: Once | undefined }
  | { readonly kind: 'saveUsage'; readonly changes: UsageChanges };

export type WriteResult =
  | { readonly created: CreatedPet }
  | { readonly done: true }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

interface IdempotencyRow {
  fingerprint: string;
  created_at: bigint;
  id: bigint;
  name: string;
  category_id: bigint;
  status: PetStatus;
}

/** How many forgotten idempotency keys a creation with a new one sweeps away. */
const SWEEP = 2;

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
     (SELECT account_id, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEEP})`,
  );
  const putUsage = database.query(
    `INSERT OR REPLACE INTO usage (subject, minute_start, minute_used, day_start, day_used)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const putPenalty = database.query(
    `INSERT OR REPLACE INTO penalties
     (key_id, refused_until, first_refused, strikes, banned_until, bans, touched_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeUsage = database.query('DELETE FROM usage WHERE subject = ?');
  const removePenalty = database.query('DELETE FROM penalties WHERE key_id = ?');

  function createPet(pet: NewPet, once: Once | undefined): CreatedPet {
    if (once !== undefined) {
      const row = findOnce.get(once.accountId, once.key);
      if (row !== null && isRepetition(row.fingerprint, Number(row.created_at), once)) {
        const { id, name, category_id: categoryId, status } = row;
        return { pet: { id, name, categoryId, status }, replayed: true };
      }
    }
    const inserted = insertPet.get(pet.name, pet.categoryId, pet.status);
    if (inserted === null) throw new Error('SQLite returned no id for an inserted animal');
    if (once !== undefined) {
      const { accountId, key, fingerprint, nowMs } = once;
      saveOnce.run(accountId, key, fingerprint, inserted.id, nowMs);
      sweepOnce.run(forgottenBeforeMs(nowMs));
    }
    return { pet: { ...pet, id: inserted.id }, replayed: false };
  }

  function saveUsage({ usages, penalties }: UsageChanges): void {
    for (const [subject, usage] of usages) {
      if (usage === undefined) removeUsage.run(subject);
      else {
        const { minuteStart, minuteUsed, dayStart, dayUsed } = usage;
        putUsage.run(subject, minuteStart, minuteUsed, dayStart, dayUsed);
      }
    }
    for (const [keyId, penalty] of penalties) {
      if (penalty === undefined) removePenalty.run(keyId);
      else {
        const { refusedUntil, firstRefusedAt, bannedUntil, bans, touchedAtMs } = penalty;
        const strikes = JSON.stringify(penalty.strikes);
        putPenalty.run(
          keyId,
          refusedUntil,
          firstRefusedAt,
          strikes,
          bannedUntil,
          bans,
          touchedAtMs,
        );
      }
    }
  }

  function run(job: WriteJob): WriteResult {
    switch (job.kind) {
      case 'createPet':
        try {
          return { created: createPet(job.pet, job.once) };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return { refused: { code: error.code, message: error.message } };
        }
      case 'saveUsage':
        saveUsage(job.changes);
        return { done: true };
    }
  }

  const inTransaction = database.transaction((jobs: readonly WriteJob[]) => jobs.map(run));
  return (jobs) => inTransaction.immediate(jobs);
}
