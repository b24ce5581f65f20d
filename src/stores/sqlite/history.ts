import type { Database } from 'bun:sqlite';
import {
  type DayOfUse,
  type DaysFilter,
  type HistoryFilter,
  type HistoryReader,
  type HistoryWriter,
  historyCutoffs,
  type PeriodOfUse,
} from '../../domain/operator/usage-history.ts';
import { readHistory, readLastUses, sumDays } from '../sql/history.ts';
import type { StepRunner, Steps } from '../sql/steps.ts';
import { sqliteRunner } from './run-steps.ts';
import { type Reading, reading } from './sqlite-errors.ts';
import type { Writer } from './writer.ts';

const SUM_ACCOUNT = sumDays('account_id = ?1 AND starts_at >= ?2');
const NEXT_ACCOUNT = 'SELECT min(account_id) AS id FROM usage_periods WHERE account_id > ?';

/** Writes to the data file through the writer thread. */
export function sqliteHistoryWriter(writer: Writer): HistoryWriter {
  return {
    add: (periods) => writer.addHistory(periods),
    compact: (nowMs) => writer.compactHistory(historyCutoffs(nowMs)),
  };
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
    return readHistory(filter, runner);
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
