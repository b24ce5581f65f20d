import type { Database } from 'bun:sqlite';
import type { Penalty } from '../domain/ban.ts';
import { DAY_SECONDS, MINUTE_SECONDS } from '../domain/durations.ts';
import {
  compareWithEarlier,
  type IdempotencyKey,
  idempotencyCutoffMs,
} from '../domain/idempotency.ts';
import type { NewPet, PetStatus } from '../domain/pet.ts';
import type { Usage } from '../domain/rate-limit.ts';

/** A job for the writer thread. It travels as JSON, so an int64 travels as text. */
export type WriteJob =
  | {
      readonly kind: 'createPet';
      readonly pet: PetText;
      readonly idempotencyKey: IdempotencyKey | undefined;
    }
  | {
      readonly kind: 'saveUsage';
      readonly usages: readonly UsageEntry[];
      readonly penalties: readonly PenaltyEntry[];
      readonly endedBySeconds: number | undefined;
    };

/** The result of a job. */
export type WriteResult =
  | { readonly createdId: string }
  | { readonly replayed: PetText & { readonly id: string } }
  | { readonly keyReused: true }
  | { readonly done: true };

export type PetText = Omit<NewPet, 'categoryId'> & { readonly categoryId: string };

/** The subject and its usage. Without usage, the row is deleted. */
export type UsageEntry = readonly [
  subject: string,
  ...usage: readonly [number, number, number, number] | readonly [],
];

/** Without a penalty, the row is deleted. */
export type PenaltyEntry = readonly [keyId: number, penalty?: Penalty];

export function toUsageEntry(subject: string, usage: Usage | undefined): UsageEntry {
  if (usage === undefined) return [subject];
  const { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed } = usage;
  return [subject, minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed];
}

export function toPenaltyEntry(keyId: number, penalty: Penalty | undefined): PenaltyEntry {
  return penalty === undefined ? [keyId] : [keyId, penalty];
}

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

/** Prepares the statements. The returned function runs jobs in order in one transaction. */
export function prepareWriteJobs(database: Database): (jobs: readonly WriteJob[]) => WriteResult[] {
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
  const removeEndedUsages = database.query(
    'DELETE FROM usage WHERE day_start_s <= ? AND minute_start_s <= ?',
  );
  const removePenalty = database.query('DELETE FROM penalties WHERE key_id = ?');

  function createPet(pet: PetText, idempotencyKey: IdempotencyKey | undefined): WriteResult {
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

  function saveUsages(rows: readonly UsageEntry[]): void {
    for (const row of rows) {
      if (row.length === 1) removeUsage.run(row[0]);
      else putUsage.run(...row);
    }
  }

  function removeUsagesThatEndedBy(seconds: number): void {
    removeEndedUsages.run(seconds - DAY_SECONDS, seconds - MINUTE_SECONDS);
  }

  function savePenalties(rows: readonly PenaltyEntry[]): void {
    for (const [keyId, penalty] of rows) {
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
        return createPet(job.pet, job.idempotencyKey);
      case 'saveUsage':
        saveUsages(job.usages);
        if (job.endedBySeconds !== undefined) removeUsagesThatEndedBy(job.endedBySeconds);
        savePenalties(job.penalties);
        return { done: true };
    }
  }

  const inTransaction = database.transaction((jobs: readonly WriteJob[]) => jobs.map(run));
  return (jobs) => inTransaction.immediate(jobs);
}

function toEarlier(row: IdempotencyRow) {
  return { fingerprint: row.fingerprint, createdAtMs: Number(row.created_at) };
}
