import type { SQL } from 'bun';
import { type Sql, type SqlDatabase, TABLES, type Value } from '#stores/sql/sql.ts';
import type { Pool } from './pool.ts';

const PAGE = 5_000;

/** An import of pets may make services wait for this part of the time limit of a query. */
const LOCKED_PART = 0.75;

const SERVICES = `SELECT FROM pg_stat_activity WHERE datname = current_database()
  AND application_name LIKE 'animal-store %' AND pid <> pg_backend_pid() LIMIT 1`;

const NO_TIME_LIMIT = 'SET LOCAL statement_timeout = 0';

/** Closes the pool at its end. */
export function postgresSql(pool: Pool): SqlDatabase {
  return {
    // This lock lets services add usage of the account, unlike FOR UPDATE.
    forUpdate: 'FOR NO KEY UPDATE',
    lockCreations: 'SELECT lock_creations()',
    lockAll: `LOCK TABLE ${Object.values(TABLES)} IN EXCLUSIVE MODE`,
    selectLastId: (table) =>
      `SELECT pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass) AS id`,
    accountsPerSum: 50,

    ...statementsOn((...call) => pool.query(...call)),

    report: statementsOn((...call) => pool.report(...call)).all,

    transaction: (change) => pool.shared.ask((sql) => changeDurably(sql, change)),

    longTransaction: (change) =>
      changeDurably(pool.shared.sql, async (sql) => {
        await sql.all(NO_TIME_LIMIT);
        return await change(sql);
      }),

    async snapshot() {
      await using opening = new AsyncDisposableStack();
      const sql = await pool.shared.sql.reserve();
      opening.defer(() => sql.release());
      await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
      opening.defer(async () => {
        await sql`ROLLBACK`.catch(() => {});
      });
      await sql.unsafe(NO_TIME_LIMIT);
      const resources = opening.move();
      return {
        ...statementsIn(sql),
        rows: (text) => readCursor(sql, text),
        [Symbol.asyncDispose]: () => resources.disposeAsync(),
      };
    },

    async continueIds(sql, table, lastId) {
      // A sequence cannot be set to 0. NULL leaves it as it is.
      const setLast = `SELECT setval(pg_get_serial_sequence('${table}', 'id'), nullif($1::bigint, 0))`;
      await sql.all(setLast, lastId);
    },

    async maxLockedMs(sql) {
      // Within a transaction, PostgreSQL would show the services of its first look again.
      await sql.all('SELECT pg_stat_clear_snapshot()');
      const services = await sql.all(SERVICES);
      return services.length > 0 ? pool.queryMs * LOCKED_PART : Infinity;
    },

    // 23 is the class of SQLSTATE for violated constraints.
    isViolation: (error) => String((error as SQL.PostgresError).errno).startsWith('23'),

    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function changeDurably<T>(sql: SQL, change: (sql: Sql) => Promise<T>): Promise<T> {
  return sql.begin(async (transaction) => {
    await transaction`SELECT commit_durably()`;
    return await change(statementsIn(transaction));
  });
}

function statementsIn(transaction: SQL): Sql {
  return statementsOn((text, ...values) => transaction.unsafe(text, values));
}

function statementsOn(run: <Row>(text: string, ...values: Value[]) => PromiseLike<Row[]>): Sql {
  return {
    all: async <Row>(text: string, ...values: Value[]) =>
      (await run<object>(text, ...values)).map(withNumbers) as Row[],
    allExact: async (...call) => await run(...call),
  };
}

/** Turns bigints into numbers, which are exact for times and counts. */
function withNumbers<Row extends object>(row: Row): Row {
  const numbers = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return Object.fromEntries(numbers);
}

/** Reads the rows of a query in bounded memory. It must be called in a transaction. */
async function* readCursor<Row>(sql: SQL, query: string): AsyncGenerator<Row> {
  await sql.unsafe(`DECLARE records CURSOR FOR ${query}`);
  for (let count = PAGE; count === PAGE; ) {
    const page = await sql.unsafe<Row[]>(`FETCH ${PAGE} FROM records`);
    yield* page;
    count = page.length;
  }
  await sql`CLOSE records`;
}
