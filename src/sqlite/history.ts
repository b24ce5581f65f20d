import type { Database, SQLQueryBindings } from 'bun:sqlite';
import {
  type HistoryBatch,
  type HistoryFilter,
  type HistoryReader,
  type HistoryWriter,
  historyCutoffs,
  type PeriodOfUse,
} from '../domain/usage-history.ts';
import { type HistoryRow, readHistory } from '../sql/history.ts';
import { reading } from './sqlite-errors.ts';
import type { Writer } from './writer.ts';

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
