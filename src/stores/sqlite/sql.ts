import type { Database, SQLiteError, SQLQueryBindings } from 'bun:sqlite';
import { dirname } from 'node:path';
import { MINUTE_MS } from '../../domain/durations.ts';
import { inSlice } from '../sql/jobs.ts';
import type { Sql, SqlDatabase, Value } from '../sql/sql.ts';
import { isServed } from './data-file.ts';
import { withoutWaiting } from './database.ts';
import { isLocked, type Reading, readingOf } from './sqlite-errors.ts';

const LOCK_TIMEOUT_MS = 5_000;
/** A busy service leaves the lock only for moments. */
const LONG_LOCK_TIMEOUT_MS = MINUTE_MS;
const RETRY_MS = 2;
/** Creations wait for the lock for half of the time limit of a request. Some of that is for the commit. */
const LOCKED_PART = 0.3;

interface Options {
  /** Reads of a service stay out of transactions that have not been committed. */
  readonly reader?: Database;
  readonly reading?: Reading;
  readonly beforeChange?: () => Promise<void>;
  readonly afterCommit?: () => void;
  /** The time limit of a request. */
  readonly timeoutMs?: number;
}

// A transaction locks the whole file.
const LOCK = 'DELETE FROM pets WHERE false';

/**
 * A connection for operators. Transactions are asynchronous, so they run one after the other. Closes
 * the connection at its end, but not the reader.
 */
export function sqliteSql(database: Database, options: Options = {}): SqlDatabase {
  const { reader = database, beforeChange, afterCommit } = options;
  const { reading = readingOf(database.filename), timeoutMs = LOCK_TIMEOUT_MS } = options;
  /** Of the transaction that is open. */
  const changing = statementsOn(database, reading);
  const { all, allExact } = statementsOn(reader, reading);
  let last: Promise<unknown> = Promise.resolve();

  async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    await beforeChange?.();
    const turn = last.then(run);
    last = turn.catch(() => {});
    return await turn;
  }

  async function commit<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await change(changing);
      reading(() => database.run('COMMIT'));
    } catch (error) {
      if (database.inTransaction) database.run('ROLLBACK');
      throw error;
    }
    afterCommit?.();
    return result;
  }

  /** Waits for the lock of the file without holding up this thread, which may serve requests. */
  async function lock(untilMs: number): Promise<void> {
    for (;;) {
      try {
        return reading(() => withoutWaiting(database, () => database.run('BEGIN IMMEDIATE')));
      } catch (error) {
        const cause = (error as Error).cause as { code?: string } | undefined;
        if (!isLocked(cause?.code) || performance.now() > untilMs) throw error;
        await Bun.sleep(RETRY_MS);
      }
    }
  }

  return {
    forUpdate: '',
    lockCreations: LOCK,
    lockAll: LOCK,
    selectLastId: (table) => `SELECT seq AS id FROM sqlite_sequence WHERE name = '${table}'`,
    accountsPerSum: 1,
    all,
    allExact,

    report: (text, ...values) => inSlice('read', () => all(text, ...values)),

    async transaction(change) {
      const untilMs = performance.now() + LOCK_TIMEOUT_MS;
      return await inTurn(async () => {
        await lock(untilMs);
        return await commit(change);
      });
    },

    longTransaction: (change) =>
      inTurn(async () => {
        const folder = dirname(database.filename).replaceAll("'", "''");
        // Temporary tables are deleted even if this process is killed. This folder is writable.
        database.run(`PRAGMA temp_store_directory = '${folder}'`);
        database.run(`PRAGMA busy_timeout = ${LONG_LOCK_TIMEOUT_MS}`);
        database.run('BEGIN');
        return await commit(change);
      }),

    async snapshot() {
      database.run('BEGIN');
      return {
        ...changing,
        async *rows<Row>(text: string) {
          yield* database.query<Row, []>(text).safeIntegers(true).iterate();
        },
        [Symbol.asyncDispose]: async () => {
          database.run('ROLLBACK');
        },
      };
    },

    async continueIds(sql, table, lastId) {
      await sql.all('DELETE FROM sqlite_sequence WHERE name = $1', table);
      await sql.all('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', table, lastId);
    },

    maxLockedMs: async () =>
      isServed(database.filename) ? timeoutMs * LOCKED_PART : Number.POSITIVE_INFINITY,

    isViolation: (error) => String((error as SQLiteError).code).startsWith('SQLITE_CONSTRAINT'),

    [Symbol.asyncDispose]: async () => database.close(),
  };
}

function statementsOn(database: Database, read: Reading): Sql {
  const run = <Row>(text: string, values: readonly Value[], isExact: boolean): Row[] => {
    // SQLite takes `$1` for a name, but `?1` for a number.
    const statement = database.query<Row, SQLQueryBindings[]>(text.replaceAll(/\$(?=\d)/g, '?'));
    return read(() => statement.safeIntegers(isExact).all(...values));
  };
  return {
    all: async <Row>(text: string, ...values: Value[]) => run<Row>(text, values, false),
    allExact: async <Row>(text: string, ...values: Value[]) => run<Row>(text, values, true),
  };
}
