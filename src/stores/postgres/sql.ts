import type { SQL } from 'bun';
import { type Snapshot, type Sql, type SqlDatabase, type Value, withNumbers } from '../sql/sql.ts';
import { TABLES } from '../sql/tables.ts';
import type { Pool } from './pool.ts';

const PAGE = 5_000;

/** How long services may wait for an import of pets, as a part of the time limit of a query. */
const LOCKED_PART = 0.75;

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const IS_SERVED = `SELECT FROM pg_stat_activity WHERE datname = current_database()
  AND application_name LIKE 'animal-store %' AND pid <> pg_backend_pid() LIMIT 1`;

export class PostgresSql implements SqlDatabase {
  // A change of the account of a key must not wait for pets that are created with the key.
  readonly forUpdate = 'FOR NO KEY UPDATE';
  readonly lockCreations = 'SELECT lock_creations()';
  readonly lockAll = `LOCK TABLE ${Object.values(TABLES)} IN EXCLUSIVE MODE`;
  readonly selectLastPetId =
    "SELECT pg_sequence_last_value(pg_get_serial_sequence('pets', 'id')::regclass) AS id";
  readonly accountsPerSum = 50;
  readonly maxLockedMs: number;
  readonly #pool: Pool;

  /** Closes the pool at its end. */
  constructor(pool: Pool) {
    this.#pool = pool;
    this.maxLockedMs = pool.queryMs * LOCKED_PART;
  }

  async all<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#pool.query<object>(text, ...values)).map(withNumbers) as Row[];
  }

  allExact<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return this.#pool.query(text, ...values);
  }

  async report<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#pool.report<object>(text, ...values)).map(withNumbers) as Row[];
  }

  transaction<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#pool.ask((sql) =>
      sql.begin(async (transaction) => {
        await transaction`SELECT commit_durably()`;
        return await change(statementsOn(transaction));
      }),
    );
  }

  longTransaction<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#pool.sql.begin(async (transaction) => {
      await transaction`SET LOCAL statement_timeout = 0`;
      await transaction`SELECT commit_durably()`;
      return await change(statementsOn(transaction));
    });
  }

  async snapshot(): Promise<Snapshot> {
    await using opening = new AsyncDisposableStack();
    const sql = await this.#pool.sql.reserve();
    opening.defer(() => sql.release());
    await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
    opening.defer(async () => {
      await sql`ROLLBACK`.catch(() => {});
    });
    await sql`SET LOCAL statement_timeout = 0`;
    const resources = opening.move();
    return {
      ...statementsOn(sql),
      rows: (text) => readCursor(sql, text),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  }

  /** `lower` depends on the locale of the database. */
  nameContains(_: string, pattern: string): [condition: string, value: string] {
    return ['name ~ $1', pattern];
  }

  async continueIds(sql: Sql, lastPetId: bigint): Promise<void> {
    for (const table of ['accounts', 'api_keys', 'audit']) {
      await sql.all(
        `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`,
      );
    }
    // A sequence cannot be at 0.
    if (lastPetId === 0n) return;
    await sql.all("SELECT setval(pg_get_serial_sequence('pets', 'id'), $1)", lastPetId);
  }

  async isServed(sql: Sql): Promise<boolean> {
    return (await sql.all(IS_SERVED)).length > 0;
  }

  violated(error: unknown): 'unique' | 'reference' | undefined {
    const { errno } = error as { errno?: string };
    if (errno === UNIQUE_VIOLATION) return 'unique';
    return errno === FOREIGN_KEY_VIOLATION ? 'reference' : undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool[Symbol.asyncDispose]();
  }
}

function statementsOn(sql: SQL): Sql {
  return {
    all: async <Row>(text: string, ...values: Value[]) =>
      (await sql.unsafe<object[]>(text, values)).map(withNumbers) as Row[],
    allExact: async <Row>(text: string, ...values: Value[]) => sql.unsafe<Row[]>(text, values),
  };
}

/** Reads the rows of a query in bounded memory. Needs a transaction. */
async function* readCursor<Row>(sql: SQL, query: string): AsyncGenerator<Row> {
  await sql.unsafe(`DECLARE records CURSOR FOR ${query}`);
  for (let count = PAGE; count === PAGE; ) {
    const page = await sql.unsafe<Row[]>(`FETCH ${PAGE} FROM records`);
    yield* page;
    count = page.length;
  }
  await sql`CLOSE records`;
}
