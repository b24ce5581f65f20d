import { DAY_MS } from '../../domain/durations.ts';
import {
  type HistoryFilter,
  OUTCOMES,
  type PeriodOfUse,
} from '../../domain/operator/usage-history.ts';
import { query, type StepRunner, type Steps, type Value } from './steps.ts';
import { columnOf, selectList, TABLES } from './tables.ts';

// The queries of the usage history that SQLite and PostgreSQL share.

const PAGE = 1_000;

const TABLE = TABLES.usagePeriod;
const KEY_COLUMNS = 'account_id, starts_at, key_id, operation';
const COUNTS = OUTCOMES.map(columnOf);
/** The start of the day (UTC). The row of a day is that of its first hour, with the others added. */
const DAY = `starts_at - starts_at % ${DAY_MS}`;
/** As in the index of hours. */
const IS_HOUR = `starts_at % ${DAY_MS} <> 0`;

/** JavaScript holds counts exactly as doubles, while PostgreSQL would return bigints. */
const asDouble = (value: string, field: string) =>
  `CAST(${value} AS double precision) AS "${field}"`;

/** Adds rows to those that exist. `source` is VALUES or SELECT. */
export function addPeriods(source: string, greatest: 'max' | 'greatest'): string {
  const sums = COUNTS.map((name) => `${name} = u.${name} + excluded.${name}`);
  const most = ['busiest_minute', 'last_at'].map(
    (name) => `${name} = ${greatest}(u.${name}, excluded.${name})`,
  );
  return `INSERT INTO ${TABLE} AS u (${KEY_COLUMNS}, ${COUNTS}, busiest_minute, last_at) ${source}
    ON CONFLICT (${KEY_COLUMNS}) DO UPDATE SET ${[...sums, ...most]}`;
}

/** `before` is the place of a value. */
export function hoursBefore(before: string): string {
  return `${TABLE} WHERE starts_at < ${before} AND ${IS_HOUR}`;
}

/** Always in the same order, so that instances wait for each other without a deadlock. */
export function selectAsDays(from: string): string {
  return `SELECT account_id, ${DAY}, key_id, operation, ${COUNTS.map((name) => `sum(${name})`)},
    max(busiest_minute), max(last_at) FROM ${from} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
}

/** The requests of each account on each day. */
export function sumDays(where: string): string {
  const sums = OUTCOMES.map((outcome) => asDouble(`sum(${columnOf(outcome)})`, outcome));
  return `SELECT account_id AS "accountId", ${asDouble(DAY, 'dayMs')}, ${sums}
    FROM ${TABLE} WHERE ${where} GROUP BY account_id, ${DAY}`;
}

interface PageQuery {
  readonly accountId: number | undefined;
  readonly operation: string | undefined;
  readonly sinceMs: number;
  /** The last row of the page before. */
  readonly after: Pick<PeriodOfUse, 'accountId' | 'startsAtMs' | 'keyId' | 'operation'>;
}

const START = { accountId: 0, startsAtMs: 0, keyId: 0, operation: '' };

/**
 * Reads page by page, without a transaction that would hold up others. If old hours become days between
 * two pages, the rest of that day of one key may be missing.
 */
export async function* readHistory(
  { accountIds, operation, sinceMs }: HistoryFilter,
  runner: Pick<StepRunner, 'read'>,
): AsyncGenerator<PeriodOfUse> {
  const accounts = accountIds && [...new Set(accountIds)].sort((a, b) => a - b);
  for (const accountId of accounts ?? [undefined]) {
    let after: PageQuery['after'] | undefined = START;
    while (after !== undefined) {
      const page: readonly PeriodOfUse[] = await runner.read(
        selectPage({ accountId, operation, sinceMs, after }),
      );
      yield* page;
      after = page.length === PAGE ? page.at(-1) : undefined;
    }
  }
}

/** In the order of the primary key, so that a page costs the same at any place. */
function selectPage({
  accountId,
  operation,
  sinceMs,
  after,
}: PageQuery): Steps<readonly PeriodOfUse[]> {
  const values: Value[] = [];
  const place = (value: Value): string => `$${values.push(value)}`;
  const last = [after.accountId, after.startsAtMs, after.keyId, after.operation].map(place);
  const conditions = [`(${KEY_COLUMNS}) > (${last})`, `starts_at >= ${place(sinceMs)}`];
  if (accountId !== undefined) conditions.push(`account_id = ${place(accountId)}`);
  if (operation !== undefined) conditions.push(`operation = ${place(operation)}`);
  const counts = [...OUTCOMES, 'busiestMinute'].map((field) => asDouble(columnOf(field), field));
  const key = selectList(['accountId', 'startsAtMs', 'keyId', 'operation', 'lastAtMs']);
  const sql = `SELECT ${key}, ${counts} FROM ${TABLE} WHERE ${conditions.join(' AND ')}
    ORDER BY ${KEY_COLUMNS} LIMIT ${PAGE}`;
  return query(sql, ...values);
}

/** The time of the last request by the id of each key, of one account or of all. */
export async function readLastUses(
  accountId: number | undefined,
  runner: Pick<StepRunner, 'read'>,
): Promise<ReadonlyMap<number, number>> {
  const select = `SELECT ${selectList(['keyId', 'lastAtMs'])} FROM ${TABLES.keyUse}`;
  const [where, values] =
    accountId === undefined ? ['', []] : ['WHERE account_id = $1', [accountId]];
  const rows = await runner.read(
    query<{ keyId: number; lastAtMs: number }>(`${select} ${where}`, ...values),
  );
  return new Map(rows.map(({ keyId, lastAtMs }) => [keyId, lastAtMs]));
}
