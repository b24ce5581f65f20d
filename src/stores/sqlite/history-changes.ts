import type { Database } from 'bun:sqlite';
import { DAY_MS } from '../../domain/durations.ts';
import {
  addSlots,
  type HistoryCutoffs,
  type HourOfUse,
  OUTCOMES,
} from '../../domain/operator/usage-history.ts';
import { addToDays, DAY_COLUMNS, KEY_COLUMNS, sumOfHours } from '../sql/history.ts';
import { columnOf } from '../sql/tables.ts';

type Row = Readonly<Record<string, string | number>>;

/** Creations wait for the transaction, which takes a few milliseconds for this many. */
const COMPACTED_AT_ONCE = 1_000;

/** Prepares the statements. Each of the returned functions is one transaction. */
export function prepareHistoryChanges(database: Database) {
  const key = '$accountId, $hourMs, $keyId, $operation';
  const findSlots = database.query<{ slots: string }, Row>(
    `SELECT slots FROM usage_hours WHERE (${KEY_COLUMNS}) = (${key})`,
  );
  const counts = OUTCOMES.map(columnOf);
  const addHour = database.query<never, Row>(
    `INSERT INTO usage_hours AS h (${KEY_COLUMNS}, ${counts}, slots, first_at, last_at)
     VALUES (${key}, ${OUTCOMES.map((name) => `$${name}`)}, $slots, $firstAtMs, $lastAtMs)
     ON CONFLICT (${KEY_COLUMNS}) DO UPDATE SET
       ${counts.map((name) => `${name} = h.${name} + excluded.${name}`)}, slots = excluded.slots,
       first_at = min(h.first_at, excluded.first_at), last_at = max(h.last_at, excluded.last_at)`,
  );
  const addUse = database.query<never, [number, number, number]>(
    `INSERT INTO key_uses AS k (account_id, key_id, last_at) VALUES (?, ?, ?)
     ON CONFLICT (account_id, key_id) DO UPDATE SET last_at = max(k.last_at, excluded.last_at)`,
  );
  // Both statements see the same hours, since the order leaves no choice.
  const oldHours = `FROM usage_hours WHERE starts_at < $hoursMs
    ORDER BY starts_at, account_id, key_id, operation LIMIT ${COMPACTED_AT_ONCE}`;
  const addDays = database.query<never, Row>(
    `INSERT INTO usage_days AS d (${DAY_COLUMNS})
     SELECT ${sumOfHours('day', '(SELECT max(value) FROM json_each(slots))')}
     FROM (SELECT *, starts_at - starts_at % ${DAY_MS} AS day ${oldHours})
     GROUP BY account_id, day, key_id, operation
     ${addToDays('max', 'min')}`,
  );
  const deleteHours = database.query<never, Row>(
    `DELETE FROM usage_hours WHERE (${KEY_COLUMNS}) IN (SELECT ${KEY_COLUMNS} ${oldHours})`,
  );
  const deleteDays = database.query<never, Row>(
    `DELETE FROM usage_days WHERE (${KEY_COLUMNS}) IN (SELECT ${KEY_COLUMNS} FROM usage_days
     WHERE starts_at < $daysMs ORDER BY starts_at LIMIT ${COMPACTED_AT_ONCE})`,
  );

  const add = database.transaction((hours: readonly HourOfUse[]) => {
    for (const { slots, firstAtMs, lastAtMs, hourMs, ...hour } of hours) {
      const { accountId, keyId, operation } = hour;
      const earlier = findSlots.get({ accountId, hourMs, keyId, operation });
      const sums: number[] = earlier === null ? [] : JSON.parse(earlier.slots);
      addSlots(sums, slots);
      addHour.run({ ...hour, hourMs, firstAtMs, lastAtMs, slots: JSON.stringify(sums) });
      addUse.run(accountId, keyId, lastAtMs);
    }
  });
  const compact = database.transaction(({ hoursMs, daysMs }: HistoryCutoffs) => {
    addDays.run({ hoursMs });
    deleteHours.run({ hoursMs });
    deleteDays.run({ daysMs });
  });
  return {
    add: (hours: readonly HourOfUse[]): void => add.immediate(hours),
    compact: (cutoffs: HistoryCutoffs): void => compact.immediate(cutoffs),
  };
}
