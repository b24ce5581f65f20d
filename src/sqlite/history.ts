import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { DAY_SECONDS } from '../domain/durations.ts';
import {
  type DayOfUse,
  type DaysFilter,
  type HistoryBatch,
  type HistoryFilter,
  type HistoryReader,
  type HistoryWriter,
  historyCutoffs,
  type PeriodOfUse,
} from '../domain/usage-history.ts';
import { type HistoryRow, readHistory } from '../sql/history.ts';
import { selectDays } from '../sql/history-sums.ts';
import { reading } from './sqlite-errors.ts';
import type { Writer } from './writer.ts';

const HISTORY_TABLES = ['usage_days', 'usage_hours'];
const DAY_OF_START = `starts_at - starts_at % ${DAY_SECONDS * 1000}`;

export class SqliteHistoryWriter implements HistoryWriter {
  readonly #writer: Writer;
  readonly #findOld;
  /** Only this process writes, so it knows its last batch. */
  #lastAdded = '';

  /** Reads from the data file, and writes to it through the writer thread. */
  constructor(database: Database, writer: Writer) {
    this.#writer = writer;
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
    const hasOld = () => reading(() => this.#findOld.get(cutoffs.hoursMs, cutoffs.daysMs) !== null);
    // Creations are written between two parts.
    while (hasOld()) await this.#writer.compactHistory(cutoffs);
  }
}

export class SqliteHistoryReader implements HistoryReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  read(filter: HistoryFilter): AsyncIterable<PeriodOfUse> {
    return readHistory(filter, {
      query: async (sql, values) => {
        // A long report must not keep a service that runs in this process from its requests.
        await new Promise(setImmediate);
        return reading(() => this.#query(sql, values as SQLQueryBindings[]));
      },
      parameter: (number) => `?${number}`,
      time: (ms) => ms,
      noSlots: 'NULL',
      toSlots: (stored) => JSON.parse(String(stored)) as number[],
    });
  }

  #query(sql: string, values: SQLQueryBindings[]): HistoryRow[] {
    return this.#database.query<HistoryRow, SQLQueryBindings[]>(sql).all(...values);
  }

  /** In small parts, since a service may run in this process. */
  async *sumDays({ accountIds, sinceMs }: DaysFilter): AsyncGenerator<DayOfUse> {
    if (accountIds !== undefined) {
      const ofAccount = 'account_id = ?1 AND starts_at >= ?2';
      const sql = selectDays(HISTORY_TABLES, DAY_OF_START, ofAccount);
      for (const id of accountIds) yield* await this.#sum(sql, id, sinceMs);
      return;
    }
    for (const table of HISTORY_TABLES) {
      const next = this.#database.query<{ startsAt: number | null }, [number]>(
        `SELECT min(starts_at) AS startsAt FROM ${table} WHERE starts_at >= ?`,
      );
      const sql = selectDays([table], DAY_OF_START, 'starts_at = ?');
      const nextStart = (fromMs: number) => reading(() => next.get(fromMs)?.startsAt ?? null);
      for (let at = nextStart(sinceMs); at !== null; at = nextStart(at + 1)) {
        yield* await this.#sum(sql, at);
      }
    }
  }

  async #sum(sql: string, ...values: number[]): Promise<DayOfUse[]> {
    await new Promise(setImmediate);
    return reading(() => this.#database.query<DayOfUse, number[]>(sql).all(...values));
  }

  async lastUses(accountId?: number): Promise<ReadonlyMap<number, number>> {
    const where = accountId === undefined ? '' : ' WHERE account_id = ?';
    const rows = reading(() =>
      this.#database
        .query<{ keyId: number; lastAtMs: number }, number[]>(
          `SELECT key_id AS keyId, last_at AS lastAtMs FROM key_uses${where}`,
        )
        .all(...(accountId === undefined ? [] : [accountId])),
    );
    return new Map(rows.map(({ keyId, lastAtMs }) => [keyId, lastAtMs]));
  }
}
