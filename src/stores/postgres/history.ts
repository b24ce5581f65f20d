import { DAY_MS, startOfDay } from '../../domain/durations.ts';
import {
  type DayOfUse,
  type DaysFilter,
  type HistoryFilter,
  type HistoryReader,
  type HistoryWriter,
  historyCutoffs,
  type PeriodOfUse,
} from '../../domain/operator/usage-history.ts';
import {
  addPeriods,
  hoursBefore,
  readHistory,
  readLastUses,
  selectAsDays,
  sumDays,
} from '../sql/history.ts';
import type { StepRunner } from '../sql/steps.ts';
import { columnOf } from '../sql/tables.ts';
import type { Pool } from './pool.ts';
import { postgresRunner } from './run-steps.ts';

/** If instances compact at the same time, each hour is deleted, and added to its day, by one of them. */
const COMPACT_HOURS = `WITH old AS (DELETE FROM ${hoursBefore('$1')} RETURNING *)
  ${addPeriods(selectAsDays('old'), 'greatest')}`;
const DELETE_DAYS = 'DELETE FROM usage_periods WHERE starts_at < $1';

const NEXT_START = `SELECT CAST(min(starts_at) AS double precision) AS "startsAtMs"
  FROM usage_periods WHERE starts_at >= $1`;
const SUM_DAY = sumDays('starts_at >= $1 AND starts_at < $2');
const SUM_ACCOUNTS = sumDays(
  "starts_at >= $1 AND account_id = ANY(string_to_array($2, ',')::integer[])",
);

export function postgresHistoryWriter(pool: Pool): HistoryWriter {
  return {
    async add(periods) {
      await pool.query('SELECT add_usage($1)', JSON.stringify(periods.map(toRow)));
    },
    async compact(nowMs) {
      const { hoursMs, daysMs } = historyCutoffs(nowMs);
      await pool.report(COMPACT_HOURS, hoursMs);
      await pool.report(DELETE_DAYS, daysMs);
    },
  };
}

export class PostgresHistoryReader implements HistoryReader {
  readonly #pool: Pool;
  readonly #runner: StepRunner;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#runner = postgresRunner(pool);
  }

  read(filter: HistoryFilter): AsyncIterable<PeriodOfUse> {
    return readHistory(filter, this.#runner);
  }

  /** All accounts in parts of a day, each of which can have millions of hours. */
  async *sumDays({ accountIds, sinceMs }: DaysFilter): AsyncGenerator<DayOfUse> {
    if (accountIds !== undefined) {
      yield* await this.#pool.query<DayOfUse>(SUM_ACCOUNTS, sinceMs, accountIds.join(','));
      return;
    }
    for (let fromMs = sinceMs; ; ) {
      const [next] = await this.#pool.report<{ startsAtMs: number | null }>(NEXT_START, fromMs);
      if (next === undefined || next.startsAtMs === null) return;
      const endMs = startOfDay(next.startsAtMs) + DAY_MS;
      yield* await this.#pool.report<DayOfUse>(SUM_DAY, next.startsAtMs, endMs);
      fromMs = endMs;
    }
  }

  lastUses(accountId?: number): Promise<ReadonlyMap<number, number>> {
    return readLastUses(accountId, this.#runner);
  }
}

function toRow(period: PeriodOfUse): object {
  return Object.fromEntries(
    Object.entries(period).map(([field, value]) => [columnOf(field), value]),
  );
}
