import {
  type HistoryFilter,
  OUTCOMES,
  type OutcomeCounts,
  type PeriodOfUse,
} from '../../domain/operator/usage-history.ts';
import { query, type StepRunner, type Steps, type Value } from './steps.ts';
import { columnOf, selectList } from './tables.ts';

// The queries of the usage history that SQLite and PostgreSQL share.

const PAGE = 1_000;

const KEY = ['accountId', 'startsAtMs', 'keyId', 'operation'];
const COLUMNS = [...KEY, ...OUTCOMES, 'firstAtMs', 'lastAtMs'];

export const KEY_COLUMNS = KEY.map(columnOf).join(', ');
export const DAY_COLUMNS = `${COLUMNS.map(columnOf).join(', ')}, busiest_minute`;

/** The rest of an INSERT into days: adds to those that exist. */
export function addToDays(greatest: 'max' | 'greatest', least: 'min' | 'least'): string {
  const sums = OUTCOMES.map(columnOf).map((name) => `${name} = d.${name} + excluded.${name}`);
  return `ON CONFLICT (${KEY_COLUMNS}) DO UPDATE SET ${sums.join(', ')},
    busiest_minute = ${greatest}(d.busiest_minute, excluded.busiest_minute),
    first_at = ${least}(d.first_at, excluded.first_at),
    last_at = ${greatest}(d.last_at, excluded.last_at)`;
}

/** The columns of days that a group of hours becomes. */
export function sumOfHours(startOfDay: string, busiestMinute: string): string {
  const sums = OUTCOMES.map(columnOf).map((name) => `sum(${name})`);
  return `account_id, ${startOfDay}, key_id, operation, ${sums.join(', ')},
    min(first_at), max(last_at), max(${busiestMinute})`;
}

/** A row of either table. */
interface HistoryRow extends OutcomeCounts {
  readonly accountId: number;
  readonly startsAtMs: number;
  readonly keyId: number;
  readonly operation: string;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** 1 for an hour, 0 for a day. */
  readonly isHour: number;
  /** The slots of an hour as the database returns them. */
  readonly slots: unknown;
  readonly busiestMinute: number;
}

/** How a database reads columns and slots. */
interface HistoryDialect {
  readonly read?: (column: string) => string;
  readonly noSlots: string;
  readonly toSlots: (stored: unknown) => readonly number[];
}

interface PageQuery {
  readonly accountId: number | undefined;
  readonly operation: string | undefined;
  readonly sinceMs: number;
  /** The last row of the page before. */
  readonly after: Pick<HistoryRow, 'accountId' | 'startsAtMs' | 'keyId' | 'operation' | 'isHour'>;
}

const START = { accountId: 0, startsAtMs: 0, keyId: 0, operation: '', isHour: 0 };

/**
 * Reads page by page, without a transaction that would hold up others. If old hours become days between
 * two pages, the rest of that day of one key may be missing.
 */
export async function* readHistory(
  { accountIds, operation, sinceMs }: HistoryFilter,
  runner: Pick<StepRunner, 'read'>,
  dialect: HistoryDialect,
): AsyncGenerator<PeriodOfUse> {
  const accounts = accountIds && [...new Set(accountIds)].sort((a, b) => a - b);
  for (const accountId of accounts ?? [undefined]) {
    let after: PageQuery['after'] | undefined = START;
    while (after !== undefined) {
      const page: readonly HistoryRow[] = await runner.read(
        selectPage({ accountId, operation, sinceMs, after }, dialect),
      );
      for (const row of page) yield toPeriod(row, dialect);
      after = page.length === PAGE ? page.at(-1) : undefined;
    }
  }
}

/** Each table is read in the order of its primary key, so that a page costs the same at any place. */
function selectPage(
  { accountId, operation, sinceMs, after }: PageQuery,
  { read, noSlots }: HistoryDialect,
): Steps<readonly HistoryRow[]> {
  const values: Value[] = [];
  const place = (value: Value): string => `$${values.push(value)}`;
  const key = [after.accountId, new Date(after.startsAtMs), after.keyId, after.operation];
  const last = [...key, after.isHour].map(place).join(', ');
  const conditions = [`starts_at >= ${place(new Date(sinceMs))}`];
  if (accountId !== undefined) conditions.push(`account_id = ${place(accountId)}`);
  if (operation !== undefined) conditions.push(`operation = ${place(operation)}`);
  const pageOf = (table: string, isHour: number, rest: string) =>
    `SELECT * FROM (SELECT ${selectList(COLUMNS, read)}, ${isHour} AS "isHour", ${rest}
      FROM ${table} WHERE (${KEY_COLUMNS}, ${isHour}) > (${last}) AND ${conditions.join(' AND ')}
      ORDER BY ${KEY_COLUMNS} LIMIT ${PAGE}) AS page`;
  const busiest = selectList(['busiestMinute'], read);
  const order = [...KEY, 'isHour'].map((field) => `"${field}"`);
  const sql = `SELECT * FROM (${pageOf('usage_days', 0, `${noSlots} AS slots, ${busiest}`)}
    UNION ALL ${pageOf('usage_hours', 1, 'slots, 0 AS "busiestMinute"')}) AS pages
    ORDER BY ${order.join(', ')} LIMIT ${PAGE}`;
  return query(sql, ...values);
}

/** The time of the last request by the id of each key, of one account or of all. */
export async function readLastUses(
  accountId: number | undefined,
  runner: Pick<StepRunner, 'read'>,
  read?: (column: string) => string,
): Promise<ReadonlyMap<number, number>> {
  const columns = selectList(['keyId', 'lastAtMs'], read);
  const [where, values] =
    accountId === undefined ? ['', []] : ['WHERE account_id = $1', [accountId]];
  const rows = await runner.read(
    query<{ keyId: number; lastAtMs: number }>(
      `SELECT ${columns} FROM key_uses ${where}`,
      ...values,
    ),
  );
  return new Map(rows.map(({ keyId, lastAtMs }) => [keyId, lastAtMs]));
}

function toPeriod({ isHour, ...row }: HistoryRow, { toSlots }: HistoryDialect): PeriodOfUse {
  if (isHour === 0) return { ...row, slots: undefined };
  const slots = toSlots(row.slots);
  return { ...row, slots, busiestMinute: Math.max(...slots) };
}
