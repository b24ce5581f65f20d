import { DAY_MS } from '../../domain/durations.ts';
import {
  type DayOfUse,
  type DaysFilter,
  type HistoryBatch,
  type HistoryFilter,
  type HistoryReader,
  type HistoryWriter,
  type HourOfUse,
  historyCutoffs,
  type PeriodOfUse,
} from '../../domain/operator/usage-history.ts';
import {
  addToDays,
  DAY_COLUMNS,
  KEY_COLUMNS,
  readHistory,
  readLastUses,
  sumOfHours,
} from '../sql/history.ts';
import { HISTORY_TABLES, selectDays } from '../sql/history-sums.ts';
import type { StepRunner } from '../sql/steps.ts';
import { columnOf } from '../sql/tables.ts';
import { readColumn } from './columns.ts';
import type { Pool } from './pool.ts';
import { postgresRunner } from './run-steps.ts';

const COMPACTED_AT_ONCE = 1_000;

/** A batch whose response was lost is sent again within seconds, unless PostgreSQL is away for long. */
const WRITERS_KEPT_MS = 7 * DAY_MS;

/** The same for the commit of a compaction as for that of a batch: it waits for nothing. */
const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

/** Instances that compact at the same time take different hours, and add to days in the same order. */
const COMPACT_HOURS = `WITH old AS (
    DELETE FROM usage_hours WHERE (${KEY_COLUMNS}) IN (
      SELECT ${KEY_COLUMNS} FROM usage_hours WHERE starts_at < $1
      ORDER BY starts_at LIMIT ${COMPACTED_AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING *, date_trunc('day', starts_at, 'UTC') AS day,
      (SELECT max(count) FROM unnest(slots) AS count) AS busiest
  ), days AS (
    INSERT INTO usage_days AS d (${DAY_COLUMNS})
    SELECT ${sumOfHours('day', 'busiest')} FROM old
    GROUP BY account_id, day, key_id, operation ORDER BY account_id, day, key_id, operation
    ${addToDays('greatest', 'least')}
  )
  SELECT count(*)::integer AS count, ${WITHOUT_WAITING} FROM old`;

const DELETE_DAYS = `WITH old AS (
    DELETE FROM usage_days WHERE (${KEY_COLUMNS}) IN (
      SELECT ${KEY_COLUMNS} FROM usage_days WHERE starts_at < $1
      ORDER BY starts_at LIMIT ${COMPACTED_AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::integer AS count, ${WITHOUT_WAITING} FROM old`;

const dayOf = (time: string) =>
  `(extract(epoch FROM date_trunc('day', ${time}, 'UTC')) * 1000)::float8`;

const NEXT_DAY = `SELECT ${dayOf('min(starts_at)')} AS "dayMs" FROM (
  ${HISTORY_TABLES.map((table) => `SELECT min(starts_at) AS starts_at FROM ${table} WHERE starts_at >= $1`).join(' UNION ALL ')}
) AS starts`;
const SUM_DAY = selectDays(dayOf('starts_at'), 'starts_at >= $1 AND starts_at < $2');
const SUM_ACCOUNTS = selectDays(
  dayOf('starts_at'),
  "starts_at >= $1 AND account_id = ANY(string_to_array($2, ',')::integer[])",
);

export class PostgresHistoryWriter implements HistoryWriter {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async add({ writer, number, hours }: HistoryBatch): Promise<void> {
    const rows = JSON.stringify(hours.map(toRow));
    await this.#pool.query('SELECT add_usage($1, $2, $3)', writer, number, rows);
  }

  async compact(nowMs: number): Promise<void> {
    const { hoursMs, daysMs } = historyCutoffs(nowMs);
    await this.#repeat(COMPACT_HOURS, hoursMs);
    await this.#repeat(DELETE_DAYS, daysMs);
    const forgotten = new Date(nowMs - WRITERS_KEPT_MS);
    await this.#pool.query('DELETE FROM usage_writers WHERE written_at < $1', forgotten);
  }

  /** In parts, so that no lock and no statement lasts long. */
  async #repeat(statement: string, beforeMs: number): Promise<void> {
    for (let count = COMPACTED_AT_ONCE; count === COMPACTED_AT_ONCE; ) {
      const [row] = await this.#pool.query<{ count: number }>(statement, new Date(beforeMs));
      count = row?.count ?? 0;
    }
  }
}

export class PostgresHistoryReader implements HistoryReader {
  readonly #pool: Pool;
  readonly #runner: StepRunner;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#runner = postgresRunner(pool);
  }

  read(filter: HistoryFilter): AsyncIterable<PeriodOfUse> {
    return readHistory(filter, this.#runner, {
      read: readColumn,
      noSlots: 'NULL::integer[]',
      toSlots: (stored) => Array.from(stored as Int32Array),
    });
  }

  /** All accounts in parts of a day, each of which can have millions of hours. */
  async *sumDays({ accountIds, sinceMs }: DaysFilter): AsyncGenerator<DayOfUse> {
    if (accountIds !== undefined) {
      const ids = accountIds.join(',');
      yield* await this.#pool.query<DayOfUse>(SUM_ACCOUNTS, new Date(sinceMs), ids);
      return;
    }
    const nextDayMs = async (fromMs: number): Promise<number | null> => {
      const [row] = await this.#pool.report<{ dayMs: number | null }>(NEXT_DAY, new Date(fromMs));
      return row?.dayMs ?? null;
    };
    for (let day = await nextDayMs(sinceMs); day !== null; day = await nextDayMs(day + DAY_MS)) {
      const [from, to] = [new Date(Math.max(day, sinceMs)), new Date(day + DAY_MS)];
      yield* await this.#pool.report<DayOfUse>(SUM_DAY, from, to);
    }
  }

  lastUses(accountId?: number): Promise<ReadonlyMap<number, number>> {
    return readLastUses(accountId, this.#runner, readColumn);
  }
}

/** The row of an hour in JSON. PostgreSQL parses an array four times as fast from its own notation. */
function toRow({ hourMs, slots, ...hour }: HourOfUse): object {
  const fields = Object.entries({ startsAtMs: hourMs, ...hour, slots: `{${slots}}` });
  return Object.fromEntries(
    fields.map(([field, value]) => [
      columnOf(field),
      field.endsWith('Ms') ? new Date(Number(value)).toISOString() : value,
    ]),
  );
}
