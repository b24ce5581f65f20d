import type { Database } from 'bun:sqlite';
import { DAY_SECONDS, MINUTE_SECONDS } from '../../domain/durations.ts';
import type { UsageChanges } from '../../domain/usage-journal.ts';

type Row = Readonly<Record<string, string | number>>;

/** Prepares the statements. The returned function saves everything in one transaction. */
export function prepareUsageChanges(database: Database): (changes: UsageChanges) => void {
  const putUsage = database.query<never, Row>(
    `INSERT OR REPLACE INTO usage (subject, minute_start_s, minute_used, day_start_s, day_used)
     VALUES ($subject, $minuteStartSeconds, $minuteUsed, $dayStartSeconds, $dayUsed)`,
  );
  const putPenalty = database.query<never, Row>(
    `INSERT OR REPLACE INTO penalties
     (key_id, refused_until_s, first_refused_at_s, refusals, strikes, banned_until_s, bans, unbanned_at)
     VALUES ($keyId, $refusedUntilSeconds, $firstRefusedAtSeconds, $refusals, $strikes,
       $bannedUntilSeconds, $bans, $unbannedAtMs)`,
  );
  const deleteUsage = database.query('DELETE FROM usage WHERE subject = ?');
  const deleteEndedUsage = database.query(
    'DELETE FROM usage WHERE day_start_s <= ? AND minute_start_s <= ?',
  );
  const deletePenalty = database.query('DELETE FROM penalties WHERE key_id = ?');

  const save = database.transaction(({ usages, penalties, endedBySeconds }: UsageChanges) => {
    // Changes are sent as JSON, which makes null of undefined.
    for (const [subject, usage] of usages) {
      if (usage) putUsage.run({ subject, ...usage });
      else deleteUsage.run(subject);
    }
    if (endedBySeconds !== undefined) {
      deleteEndedUsage.run(endedBySeconds - DAY_SECONDS, endedBySeconds - MINUTE_SECONDS);
    }
    for (const [keyId, penalty] of penalties) {
      if (penalty) {
        putPenalty.run({ keyId, ...penalty, strikes: JSON.stringify(penalty.strikes) });
      } else deletePenalty.run(keyId);
    }
  });
  return (changes) => save.immediate(changes);
}
