import { OUTCOMES } from '../../domain/operator/usage-history.ts';
import { columnOf } from './tables.ts';

export const HISTORY_TABLES = ['usage_days', 'usage_hours'];

/** The requests of each account on each day, as one sum. `dayOf` turns a start into its day. */
export function selectDays(dayOf: string, where: string): string {
  const columns = OUTCOMES.map(columnOf);
  const sums = OUTCOMES.map((outcome, index) => {
    // Without the type, PostgreSQL would return text.
    return `CAST(sum(${columns[index]}) AS double precision) AS "${outcome}"`;
  });
  const rows = HISTORY_TABLES.map(
    (table) =>
      `SELECT account_id, ${dayOf} AS day, ${columns.join(', ')} FROM ${table} WHERE ${where}`,
  );
  return `SELECT account_id AS "accountId", day AS "dayMs", ${sums.join(', ')}
    FROM (${rows.join(' UNION ALL ')}) AS periods GROUP BY account_id, day`;
}
