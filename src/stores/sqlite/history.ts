import type { Database } from 'bun:sqlite';
import { DAY_MS } from '../../domain/durations.ts';
import {
  type DayOfUse,
  type DaysFilter,
  type HistoryBatch,
  type HistoryFilter,
  type HistoryReader,
  type HistoryWriter,
  historyCutoffs,
  type PeriodOfUse,
} from '../../domain/operator/usage-history.ts';
import { readHistory, readLastUses } from '../sql/history.ts';
import { HISTORY_TABLES, selectDays } from '../sql/history-sums.ts';
import type { StepRunner, Steps } from '../sql/steps.ts';
import { sqliteRunner } from './run-steps.ts';
import { type Reading, reading } from './sqlite-errors.ts';
import type { Writer } from './writer.ts';

const SUM_ACCOUNT = selectDays(
  `starts_at - starts_at % ${DAY_MS}`,
  'account_id = ?1 AND starts_at >= ?2',
);
const NEXT_ACCOUNT = `SELECT min(id) AS id FROM (${HISTORY_TABLES.map(
  (table) => `SELECT min(account_id) AS id FROM ${table} WHERE account_id > ?1`,
).join(' UNION ALL ')})`;

export class SqliteHistoryWriter implements HistoryWriter {
  readonly #writer: Writer;
  readonly #reading: Reading;
  readonly #findOld;
  /** Only this process writes, so it knows its last batch. */
  #lastAdded = '';

  /** Reads from the data file, and writes to it through the writer thread. */
  constructor(database: Database, writer: Writer, reading: Reading) {
    this.#writer = writer;
    this.#reading = reading;
    this.#findOld = database.query<object, [number, number]>(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM usage_hours WHERE starts_at < ?)
       OR EXISTS (SELECT 1 FROM usage_days WHERE starts_at < ?)`,
    );
  }

  async add({ writer, number, hours }: HistoryBatch): Promise<void> {
    const name = `${writer} ${number}`;
    if (name === this.#lastAdded) return;
    await this.#writer.addHistory(hours);
    this.#lastAdded = name;
  }

  async compact(nowMs: number): Promise<void> {
    const cutoffs = historyCutoffs(nowMs);
    const hasOld = () =>
      this.#reading(() => this.#findOld.get(cutoffs.hoursMs, cutoffs.daysMs) !== null);
    // Creations are written between two parts.
    while (hasOld()) await this.#writer.compactHistory(cutoffs);
  }
}

export class SqliteHistoryReader implements HistoryReader {
  readonly #database: Database;
  readonly #reading: Reading;
  readonly #runner: StepRunner;

  constructor(database: Database, read: Reading = reading) {
    this.#database = database;
    this.#reading = read;
    this.#runner = sqliteRunner(database, read);
  }

  read(filter: HistoryFilter): AsyncIterable<PeriodOfUse> {
    const runner = {
      read: async <T>(steps: Steps<T>): Promise<T> => {
        // A long report must not keep a service that runs in this process from its requests.
        await new Promise(setImmediate);
        return this.#runner.read(steps);
      },
    };
    return readHistory(filter, runner, {
      noSlots: 'NULL',
      toSlots: (stored) => JSON.parse(String(stored)) as number[],
    });
  }

  /**
   * Account by account, since a service may run in this process. In the order of the primary key, which
   * is ten times as fast as in the order of time.
   */
  async *sumDays({ accountIds, sinceMs }: DaysFilter): AsyncGenerator<DayOfUse> {
    const sum = this.#database.query<DayOfUse, [number, number]>(SUM_ACCOUNT);
    for (const id of accountIds ?? this.#accountsWithHistory()) {
      await new Promise(setImmediate);
      yield* this.#reading(() => sum.all(id, sinceMs));
    }
  }

  *#accountsWithHistory(): Generator<number> {
    const next = this.#database.query<{ id: number | null }, [number]>(NEXT_ACCOUNT);
    const nextAfter = (id: number) => this.#reading(() => next.get(id)?.id ?? null);
    for (let id = nextAfter(0); id !== null; id = nextAfter(id)) yield id;
  }

  lastUses(accountId?: number): Promise<ReadonlyMap<number, number>> {
    return readLastUses(accountId, this.#runner);
  }
}
