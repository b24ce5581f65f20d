import type { Database } from 'bun:sqlite';
import type { Penalty } from '../domain/ban.ts';
import { DAY_SECONDS, MINUTE_SECONDS } from '../domain/durations.ts';
import type { UsageChanges } from '../domain/usage-journal.ts';

/** Usage and penalties to save, as they travel to the writer thread. */
export interface SavedUsage {
  readonly usages: readonly UsageEntry[];
  readonly penalties: readonly PenaltyEntry[];
  readonly endedBySeconds: number | undefined;
}

/** The subject and its usage. Without usage, the row is deleted. */
type UsageEntry = readonly [
  subject: string,
  ...usage: readonly [number, number, number, number] | readonly [],
];

/** Without a penalty, the row is deleted. */
type PenaltyEntry = readonly [keyId: number, penalty?: Penalty];

export function toSavedUsage({ usages, penalties, endedBySeconds }: UsageChanges): SavedUsage {
  return {
    usages: usages.map(([subject, usage]) => {
      if (usage === undefined) return [subject];
      const { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed } = usage;
      return [subject, minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed];
    }),
    penalties: penalties.map(([keyId, penalty]) =>
      penalty === undefined ? [keyId] : [keyId, penalty],
    ),
    endedBySeconds,
  };
}

/** Prepares the statements. The returned function saves everything in one transaction. */
export function prepareUsageChanges(database: Database): (changes: SavedUsage) => void {
  const putUsage = database.query(
    `INSERT OR REPLACE INTO usage (subject, minute_start_s, minute_used, day_start_s, day_used)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const putPenalty = database.query(
    `INSERT OR REPLACE INTO penalties
     (key_id, refused_until_s, first_refused_at_s, refusals, strikes, banned_until_s, bans, unbanned_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteUsage = database.query('DELETE FROM usage WHERE subject = ?');
  const deleteEndedUsage = database.query(
    'DELETE FROM usage WHERE day_start_s <= ? AND minute_start_s <= ?',
  );
  const deletePenalty = database.query('DELETE FROM penalties WHERE key_id = ?');

  const save = database.transaction(({ usages, penalties, endedBySeconds }: SavedUsage) => {
    for (const row of usages) {
      if (row.length === 1) deleteUsage.run(row[0]);
      else putUsage.run(...row);
    }
    if (endedBySeconds !== undefined) {
      deleteEndedUsage.run(endedBySeconds - DAY_SECONDS, endedBySeconds - MINUTE_SECONDS);
    }
    for (const [keyId, penalty] of penalties) {
      if (penalty === undefined) deletePenalty.run(keyId);
      else putPenalty.run(...penaltyRow(keyId, penalty));
    }
  });
  return (changes) => save.immediate(changes);
}

function penaltyRow(keyId: number, penalty: Penalty) {
  return [
    keyId,
    penalty.refusedUntilSeconds,
    penalty.firstRefusedAtSeconds,
    penalty.refusals,
    JSON.stringify(penalty.strikes),
    penalty.bannedUntilSeconds,
    penalty.bans,
    penalty.unbannedAtMs,
  ];
}
