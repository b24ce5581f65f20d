import { DAY_MS } from '#domain/durations.ts';
import {
  type HistoryReader,
  MAX_PERIODS_PER_BATCH,
  OUTCOMES,
  type PeriodKind,
  type UsagePeriod,
  type UsageSum,
} from '#domain/operator/history.ts';
import { MAX_ID } from '#formats/int64.ts';
import type { ShowProgress } from '#formats/progress.ts';
import { columnOf, inSlice, type SqlDatabase, selectList, Values } from './sql.ts';

const PAGE = 1_000;

const KEY_FIELDS = ['accountId', 'startsAtMs', 'keyId', 'operation'] as const;
const GREATEST_FIELDS = ['busiestMinute', 'lastAtMs'];
export const PERIOD_FIELDS = [...KEY_FIELDS, ...OUTCOMES, ...GREATEST_FIELDS];
const KEY_COLUMNS = KEY_FIELDS.map(columnOf);
const COUNTS = OUTCOMES.map(columnOf);
/** The start of the day (UTC). The row of a day is the row of its first hour, to which the others were added. */
const DAY = `starts_at - starts_at % ${DAY_MS}`;

/** A statement that adds the counts of a source, which is VALUES or SELECT, to the rows that exist. */
export function addPeriods(source: string): string {
  const sums = COUNTS.map((name) => `${name} = u.${name} + excluded.${name}`);
  const most = GREATEST_FIELDS.map(columnOf).map(
    (name) =>
      `${name} = CASE WHEN u.${name} > excluded.${name} THEN u.${name} ELSE excluded.${name} END`,
  );
  return `INSERT INTO usage_periods AS u (${PERIOD_FIELDS.map(columnOf)}) ${source}
    ON CONFLICT (${KEY_COLUMNS}) DO UPDATE SET ${[...sums, ...most]}`;
}

/** The index of hours has the first condition. Hours that are as old as the days to delete are deleted too. */
const CONDITIONS = { hours: `starts_at % ${DAY_MS} <> 0`, days: 'true' };

/** The oldest periods of a kind that start before `$1`, at most `MAX_PERIODS_PER_BATCH` of them. */
export function oldPeriods(kind: PeriodKind): string {
  return `usage_periods WHERE (${KEY_COLUMNS}) IN (SELECT ${KEY_COLUMNS} FROM usage_periods
    WHERE starts_at < $1 AND ${CONDITIONS[kind]} ORDER BY starts_at LIMIT ${MAX_PERIODS_PER_BATCH})`;
}

/** It takes a while to delete the periods of a removed account. Until then, this hides them. */
const HAS_ACCOUNT = 'EXISTS (SELECT 1 FROM accounts AS a WHERE a.id = u.account_id)';
export const PERIODS_TO_READ = `usage_periods AS u WHERE ${HAS_ACCOUNT}`;

/** Removed accounts that still have periods. Only the audit still knows their ids. */
const SELECT_HALF_REMOVED = `SELECT account_id AS id FROM audit AS a
  WHERE action = 'account.remove'
  AND EXISTS (SELECT 1 FROM usage_periods AS u WHERE u.account_id = a.account_id)`;

const DELETED_AT_ONCE = 1_000;

/** Deletes some periods of account `$1`, and returns a row for each. */
const DELETE_SOME_PERIODS = `DELETE FROM usage_periods WHERE (${KEY_COLUMNS}) IN
  (SELECT ${KEY_COLUMNS} FROM usage_periods WHERE account_id = $1 LIMIT ${DELETED_AT_ONCE})
  RETURNING key_id`;

/** Deletes the periods of all removed accounts, in slices. */
export async function deleteRemovedPeriods(
  database: SqlDatabase,
  show?: ShowProgress,
): Promise<void> {
  let count = 0;
  for (const { id } of await database.report<{ id: number }>(SELECT_HALF_REMOVED)) {
    const deletion = () => database.transaction((sql) => sql.all(DELETE_SOME_PERIODS, id));
    let deleted: unknown[];
    do {
      deleted = await inSlice('write', deletion);
      count += deleted.length;
      show?.(count, 'hours of usage');
    } while (deleted.length > 0);
  }
}

/** Adds up hours to days. The order is always the same, so that instances wait for each other without a deadlock. */
export function selectAsDays(from: string): string {
  return `SELECT account_id, ${DAY}, key_id, operation, ${COUNTS.map((name) => `sum(${name})`)},
    max(busiest_minute), max(last_at) FROM ${from} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
}

const SUMS = OUTCOMES.map((outcome) => `CAST(sum(${columnOf(outcome)}) AS bigint) AS "${outcome}"`);
const SUM_GROUPS = { day: DAY, key: 'key_id' };

/** The accounts with requests since `$1`. */
const SELECT_USED = `SELECT DISTINCT account_id AS id FROM key_uses
  WHERE last_at >= $1 OR refused_at >= $1 ORDER BY 1`;

/** `isKept` is false for the periods of a removed account, which are still to be deleted. */
type ReadPeriod = UsagePeriod & { readonly isKept: unknown };

/** Reads in parts, between which a service in the same process serves requests. */
export function sqlHistory(database: SqlDatabase): HistoryReader {
  return {
    /**
     * Reads in the order of the primary key and without further conditions, so that a page costs the same at any
     * place, however few of its rows are wanted. The account is only an upper bound: with "=", SQLite would read the
     * account from its start for each page. If old hours become days between two pages, the rest of that day of one
     * key may be missing.
     */
    async *read({ accountId, operation, sinceMs }) {
      // Without an account, the read begins before the first one. Periods before `sinceMs` are left out below.
      let after = { accountId: accountId ?? 0, startsAtMs: sinceMs, keyId: 0, operation: '' };
      let page: ReadPeriod[];
      do {
        const values = new Values();
        const last = KEY_FIELDS.map((field) => values.add(after[field]));
        const select = `SELECT ${selectList(PERIOD_FIELDS)}, ${HAS_ACCOUNT} AS "isKept"
          FROM usage_periods AS u
          WHERE (${KEY_COLUMNS}) > (${last})
            AND account_id <= ${values.add(accountId ?? MAX_ID)}
          ORDER BY ${KEY_COLUMNS} LIMIT ${PAGE}`;
        // A caller may wait for one account, so each query has the time limit of a request.
        page = await (accountId === undefined
          ? database.report(select, ...values.list)
          : inSlice('read', () => database.all(select, ...values.list)));
        for (const { isKept, ...period } of page) {
          const isWanted = operation === undefined || period.operation === operation;
          if (isKept && isWanted && period.startsAtMs >= sinceMs) yield period;
        }
        after = page.at(-1) ?? after;
      } while (page.length === PAGE);
    },

    /** Reads account by account. This is the order of the primary key, and ten times as fast as the order of time. */
    async *sum(by, sinceMs, accountIds) {
      const { accountsPerSum } = database;
      const ids =
        accountIds ??
        (await database.all<{ id: number }>(SELECT_USED, sinceMs)).map(({ id }) => id);
      for (let start = 0; start < ids.length; start += accountsPerSum) {
        const values = new Values();
        const summed = ids.slice(start, start + accountsPerSum).map(values.add);
        const select = `SELECT account_id AS "accountId", ${SUM_GROUPS[by]} AS "group", ${SUMS}
          FROM usage_periods
          WHERE account_id IN (${summed}) AND starts_at >= ${values.add(sinceMs)} GROUP BY 1, 2`;
        yield* await database.report<UsageSum>(select, ...values.list);
      }
    },

    async oldest(kind) {
      const select = `SELECT min(starts_at) AS ms FROM usage_periods WHERE ${CONDITIONS[kind]}`;
      const [row] = await database.all<{ ms: number | null }>(select);
      return row?.ms ?? Number.MAX_SAFE_INTEGER;
    },
  };
}
