import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { dirname } from 'node:path';
import type { Snapshot, Sql, SqlDatabase, Value } from '../sql/sql.ts';
import { isServed } from './data-file.ts';
import { withoutWaiting } from './database.ts';
import { isLocked, type Reading, reading } from './sqlite-errors.ts';

const LOCK_TIMEOUT_MS = 5_000;
/** A busy service leaves the lock only for moments. */
const LONG_LOCK_TIMEOUT_MS = 60_000;
const RETRY_MS = 2;

interface Options {
  /** Reads of a service stay out of transactions that have not been committed. */
  readonly reader?: Database;
  readonly reading?: Reading;
  readonly beforeChange?: () => Promise<void>;
  readonly afterCommit?: () => void;
}

/** A connection for operators. Transactions are asynchronous, so they run one after the other. */
export class SqliteSql implements SqlDatabase {
  // A transaction locks the whole file.
  readonly forUpdate = '';
  readonly lockCreations = 'DELETE FROM pets WHERE false';
  readonly lockAll = this.lockCreations;
  readonly selectLastPetId = "SELECT seq AS id FROM sqlite_sequence WHERE name = 'pets'";
  readonly accountsPerSum = 1;
  readonly maxLockedMs = 3_000;
  readonly #database: Database;
  readonly #options: Options;
  readonly #reading: Reading;
  /** Of the transaction that is open. */
  readonly #changing: Sql;
  #last: Promise<unknown> = Promise.resolve();

  readonly all: Sql['all'];
  readonly allExact: Sql['allExact'];

  /** Closes the connection at its end, but not the reader. */
  constructor(database: Database, options: Options = {}) {
    this.#database = database;
    this.#options = options;
    this.#reading = options.reading ?? reading;
    this.#changing = statementsOn(database, this.#reading);
    const reader = statementsOn(options.reader ?? database, this.#reading);
    this.all = reader.all;
    this.allExact = reader.allExact;
  }

  async report<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    // Requests that arrived during the report before this one come first.
    await new Promise(setImmediate);
    return await this.all(text, ...values);
  }

  async transaction<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
    await this.#options.beforeChange?.();
    return await this.#inTurn(async () => {
      await this.#lock();
      return await this.#commit(change);
    });
  }

  longTransaction<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const folder = dirname(this.#database.filename).replaceAll("'", "''");
      // Temporary tables are deleted even if this process is killed. This folder is writable.
      this.#database.run(`PRAGMA temp_store_directory = '${folder}'`);
      this.#database.run(`PRAGMA busy_timeout = ${LONG_LOCK_TIMEOUT_MS}`);
      this.#database.run('BEGIN');
      return await this.#commit(change);
    });
  }

  async snapshot(): Promise<Snapshot> {
    const database = this.#database;
    database.run('BEGIN');
    return {
      ...this.#changing,
      async *rows<Row>(text: string) {
        yield* database.query<Row, []>(text).safeIntegers(true).iterate();
      },
      [Symbol.asyncDispose]: async () => {
        database.run('ROLLBACK');
      },
    };
  }

  /** `lower` takes a third of the time, but knows only the letters of ASCII. */
  nameContains(text: string, pattern: string): [condition: string, value: string] {
    return /^[ -~]*$/.test(text)
      ? ['instr(lower(name), $1) > 0', text.toLowerCase()]
      : ["name GLOB '*' || $1 || '*'", pattern];
  }

  /** The ids of accounts, keys and the audit continue without help. */
  async continueIds(sql: Sql, lastPetId: bigint): Promise<void> {
    await sql.all("DELETE FROM sqlite_sequence WHERE name = 'pets'");
    await sql.all("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', $1)", lastPetId);
  }

  async isServed(): Promise<boolean> {
    return isServed(this.#database.filename);
  }

  violated(error: unknown): 'unique' | 'reference' | undefined {
    const { code = '' } = error as { code?: string };
    if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'reference';
    return /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(code) ? 'unique' : undefined;
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => {});
    return await turn;
  }

  async #commit<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await change(this.#changing);
      this.#reading(() => this.#database.run('COMMIT'));
    } catch (error) {
      if (this.#database.inTransaction) this.#database.run('ROLLBACK');
      throw error;
    }
    this.#options.afterCommit?.();
    return result;
  }

  /** Waits for the lock of the file without holding up this thread, which may serve requests. */
  async #lock(): Promise<void> {
    for (let leftMs = LOCK_TIMEOUT_MS; !this.#tryLock(leftMs <= 0); leftMs -= RETRY_MS) {
      await Bun.sleep(RETRY_MS);
    }
  }

  /** False if another connection has the lock, unless this is the last attempt. */
  #tryLock(isLast: boolean): boolean {
    try {
      const begin = () => this.#database.run('BEGIN IMMEDIATE');
      reading(() => withoutWaiting(this.#database, begin));
      return true;
    } catch (error) {
      const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
      if (!isLocked(code) || isLast) throw error;
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }
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
