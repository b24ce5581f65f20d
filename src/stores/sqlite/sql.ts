import type { Database, SQLiteError, SQLQueryBindings } from 'bun:sqlite';
import { dirname } from 'node:path';
import { MINUTE_MS } from '#domain/durations.ts';
import { inSlice, type Sql, type SqlDatabase, type Value } from '#stores/sql/sql.ts';
import { isServed } from './data-file.ts';
import { withoutWaiting } from './database.ts';
import { codeOf, isLocked, queryRunner, type RunQuery } from './sqlite-errors.ts';

const LOCK_TIMEOUT_MS = 5_000;
/** A busy service leaves the lock only for moments, so a long transaction may have to try for a while. */
const LONG_LOCK_TIMEOUT_MS = MINUTE_MS;
const RETRY_MS = 2;
/** Creations wait for the lock for half of the time limit of a request. The rest of that is for the commit. */
const LOCKED_PART = 0.3;

interface Options {
  /** A service reads on another connection, which does not see transactions before they are committed. */
  readonly reader?: Database;
  readonly runQuery?: RunQuery;
  readonly beforeChange?: () => Promise<void>;
  /** A service forgets here what its caches have read. Throws if the change must not be confirmed. */
  readonly afterCommit?: () => void;
  /** The time limit of a request. */
  readonly timeoutMs?: number;
}

/** Any write locks the whole file. This one changes nothing. */
const LOCK = 'DELETE FROM pets WHERE false';

/**
 * A connection for operators. Its transactions are asynchronous, so they run one after the other. Closes the
 * connection at the end, but not the reader.
 */
export function sqliteSql(database: Database, options: Options = {}): SqlDatabase {
  const { reader = database, beforeChange, afterCommit } = options;
  const { runQuery = queryRunner(database.filename), timeoutMs = LOCK_TIMEOUT_MS } = options;
  const { all, allExact } = statementsOn(reader, runQuery);
  const changing = statementsOn(database, runQuery);
  let last: Promise<unknown> = Promise.resolve();

  async function inTurn<T>(begin: () => unknown, change: (sql: Sql) => Promise<T>): Promise<T> {
    await beforeChange?.();
    const turn = last.then(async () => {
      await begin();
      try {
        const result = await change(changing);
        runQuery(() => database.run('COMMIT'));
        afterCommit?.();
        return result;
      } catch (error) {
        if (database.inTransaction) database.run('ROLLBACK');
        throw error;
      }
    });
    last = turn.catch(() => {});
    return await turn;
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

    transaction(change) {
      const untilMs = performance.now() + LOCK_TIMEOUT_MS;
      return inTurn(() => lock(database, runQuery, untilMs), change);
    },

    longTransaction: (change) => inTurn(() => beginLong(database), change),

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

    maxLockedMs: async () => (isServed(database.filename) ? timeoutMs * LOCKED_PART : Infinity),

    isViolation: (error) => String((error as SQLiteError).code).startsWith('SQLITE_CONSTRAINT'),

    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** Waits for the lock of the file without blocking this thread, which may serve requests. */
async function lock(database: Database, runQuery: RunQuery, untilMs: number): Promise<void> {
  for (;;) {
    try {
      return runQuery(() => withoutWaiting(database, () => database.run('BEGIN IMMEDIATE')));
    } catch (error) {
      if (!isLocked(codeOf(error)) || performance.now() > untilMs) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** Begins a transaction that locks the file only when it first writes to it. */
function beginLong(database: Database): void {
  const folder = dirname(database.filename).replaceAll("'", "''");
  // Temporary tables are deleted even if this process is killed. This folder is writable.
  database.run(`PRAGMA temp_store_directory = '${folder}'`);
  database.run(`PRAGMA busy_timeout = ${LONG_LOCK_TIMEOUT_MS}`);
  database.run('BEGIN');
}

function statementsOn(database: Database, runQuery: RunQuery): Sql {
  const run =
    <Row>(isExact: boolean) =>
    async (text: string, ...values: Value[]) => {
      // SQLite takes `$1` for a name, but `?1` for a number.
      const statement = database.query<Row, SQLQueryBindings[]>(text.replaceAll(/\$(?=\d)/g, '?'));
      return runQuery(() => statement.safeIntegers(isExact).all(...values));
    };
  return { all: run(false) as Sql['all'], allExact: run(true) as Sql['all'] };
}
