import type { Database } from 'bun:sqlite';
import {
  type HistoryCutoffs,
  OUTCOMES,
  type PeriodOfUse,
} from '../../domain/operator/usage-history.ts';
import { addPeriods, hoursBefore, selectAsDays } from '../sql/history.ts';

type Row = Readonly<Record<string, string | number>>;

/** Prepares the statements. Each of the returned functions is one transaction. */
export function prepareHistoryChanges(database: Database) {
  const fields = ['accountId', 'startsAtMs', 'keyId', 'operation', ...OUTCOMES];
  const values = [...fields, 'busiestMinute', 'lastAtMs'].map((field) => `$${field}`);
  const addPeriod = database.query<never, Row>(addPeriods(`VALUES (${values})`, 'max'));
  const addUse = database.query<never, [number, number, number]>(
    `INSERT INTO key_uses AS k (account_id, key_id, last_at) VALUES (?, ?, ?)
     ON CONFLICT (account_id, key_id) DO UPDATE SET last_at = max(k.last_at, excluded.last_at)`,
  );
  const addDays = database.query<never, [number]>(
    addPeriods(selectAsDays(hoursBefore('?')), 'max'),
  );
  const deleteHours = database.query<never, [number]>(`DELETE FROM ${hoursBefore('?')}`);
  const deleteDays = database.query<never, [number]>(
    'DELETE FROM usage_periods WHERE starts_at < ?',
  );

  const add = database.transaction((periods: readonly PeriodOfUse[]) => {
    for (const period of periods) {
      addPeriod.run({ ...period });
      addUse.run(period.accountId, period.keyId, period.lastAtMs);
    }
  });
  const compact = database.transaction(({ hoursMs, daysMs }: HistoryCutoffs) => {
    addDays.run(hoursMs);
    deleteHours.run(hoursMs);
    deleteDays.run(daysMs);
  });
  return {
    add: (periods: readonly PeriodOfUse[]): void => add.immediate(periods),
    compact: (cutoffs: HistoryCutoffs): void => compact.immediate(cutoffs),
  };
}
