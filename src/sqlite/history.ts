import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { DAY_MS } from '../domain/durations.ts';
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
const SUM_ACCOUNT = selectDays(
  HISTORY_TABLES,
  `starts_at - starts_at % ${DAY_MS}`,
  'account_id = ?1 AND starts_at >= ?2',
);
const NEXT_ACCOUNT = `SELECT min(id) AS id FROM (${HISTORY_TABLES.map(
  (table) => `SELECT min(account_id) AS id FROM ${table} WHERE account_id > ?1`,
).join(' UNION ALL ')})`;

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

  /**
   * Account by account, since a service may run in this process. In the order of the primary key, which
   * is ten times as fast as in the order of time.
   */
  async *sumDays({ accountIds, sinceMs }: DaysFilter): AsyncGenerator<DayOfUse> {
    const sum = this.#database.query<DayOfUse, [number, number]>(SUM_ACCOUNT);
    for (const id of accountIds ?? this.#accountsWithHistory()) {
      await new Promise(setImmediate);
      yield* reading(() => sum.all(id, sinceMs));
    }
  }

  *#accountsWithHistory(): Generator<number> {
    const next = this.#database.query<{ id: number | null }, [number]>(NEXT_ACCOUNT);
    const nextAfter = (id: number) => reading(() => next.get(id)?.id ?? null);
    for (let id = nextAfter(0); id !== null; id = nextAfter(id)) yield id;
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
