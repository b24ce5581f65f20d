import type { SQL } from 'bun';
import type { BackendOptions, PoolLoad } from '../../domain/backend.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import { requireCurrent } from '../sql/version.ts';
import { cannotUseServer, withoutPassword } from './address.ts';
import { openConnections, STATEMENT_PART } from './connections.ts';
import { countApplied, MIGRATIONS, migrateServer } from './migrate.ts';

/** A request makes two queries: for its key and for its pets. The last fifth of its time is for Redis. */
const PART_OF_REQUEST = 0.4;

/** Of one query over all accounts. */
const REPORT_MS = MINUTE_MS;

export type Pool = ReturnType<typeof createPool>;

/**
 * The connections of an instance. Writes of requests have a separate one: while a commit waits for a
 * standby, reads continue. Reports have another, so that requests do not wait for them. The first report opens it.
 */
export function createPool({
  url,
  connections,
  timeoutMs,
}: Pick<BackendOptions, 'url' | 'connections' | 'timeoutMs'>) {
  const queryMs = timeoutMs * PART_OF_REQUEST;
  const options = { url, timeoutMs: queryMs, onReplaced: renew };
  const shared = openConnections({ ...options, max: connections });
  const writer = openConnections({ ...options, max: 1 });
  const reporter = openConnections({ ...options, max: 1, timeoutMs: REPORT_MS });
  const all = [shared, writer, reporter];

  /**
   * Another server may be the primary by now. Reads from the old one would miss what is written. The caller
   * has just been replaced and has no open connection yet, so replacing it again does no harm.
   */
  function renew(): void {
    for (const each of all) each.renew();
  }

  return {
    /** A query that takes longer is given up. */
    queryMs,

    /** For everything but writes of requests, and reports. */
    shared,

    /** Runs one statement with values for `$1`, `$2` and so on, and returns its rows. */
    query: <Row>(statement: string, ...values: unknown[]): Promise<Row[]> =>
      shared.ask((sql) => sql.unsafe<Row[]>(statement, values)),

    /** Like `query`, for one that takes longer than a request may. */
    report: <Row>(statement: string, ...values: unknown[]): Promise<Row[]> =>
      reporter.ask((sql) =>
        sql.begin(async (transaction) => {
          // Behind a pooler, the role has the time limit of a request.
          await transaction.unsafe(`SET LOCAL statement_timeout = ${REPORT_MS * STATEMENT_PART}`);
          return await transaction.unsafe<Row[]>(statement, values);
        }),
      ),

    /**
     * Like `query`, for what a request writes. Resolves once neither a power cut nor a failover to a
     * synchronous standby can undo it. The statement must return a row if it writes or confirms anything,
     * and not begin with WITH.
     */
    async write<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
      // A commit that has written nothing waits for no standby, and a replay writes nothing. But the pet
      // that it confirms may be on this server only, if that restarted while the creation waited for the
      // standby. So every write adds a message to the log, which nobody reads.
      const durably = `WITH written AS (${statement}) SELECT written.*
        FROM written, commit_durably(), pg_logical_emit_message(true, 'animal-store', '')`;
      try {
        return await writer.ask((sql) => sql.unsafe<Row[]>(durably, values));
      } catch (error) {
        // Read-only, or canceled while it waited for a commit that an old primary can no longer finish.
        if (error instanceof StoreUnavailableError) writer.probe();
        throw error;
      }
    },

    loads: (): PoolLoad[] => [
      { pool: 'shared', ...shared.load },
      { pool: 'creations', ...writer.load },
    ],

    /**
     * The server is a primary, and would keep what is written in a power cut. Creations that wait for a standby
     * do not matter: reads continue, and would end if every instance were taken out of service.
     */
    async isReady(): Promise<boolean> {
      const [{ isWritable, isSafe }] = await shared.ask(
        (sql) => sql`SELECT current_setting('transaction_read_only') = 'off' AS "isWritable",
          current_setting('fsync') = 'on' AS "isSafe"`,
      );
      if (!isWritable) shared.probe();
      return isWritable && isSafe;
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(all.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

/** Connects, checks that the server is safe to store in, and migrates the schema. */
export function openPool(options: BackendOptions): Promise<Pool> {
  return open(options, (pool) => migrateServer(pool.shared.sql));
}

/** Connects for a command, which neither creates nor migrates the schema. */
export function openExistingPool(options: BackendOptions): Promise<Pool> {
  return open(options, async (pool) => {
    const applied = await pool.shared.ask(countApplied);
    requireCurrent(applied, MIGRATIONS.length, withoutPassword(options.url));
  });
}

async function open(
  options: BackendOptions,
  prepareSchema: (pool: Pool) => Promise<void>,
): Promise<Pool> {
  try {
    await using opening = new AsyncDisposableStack();
    const pool = opening.use(createPool(options));
    await pool.shared.ask(requireSafe);
    await prepareSchema(pool);
    opening.move();
    return pool;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    throw await cannotUseServer(options, cause as Error);
  }
}

/** Refuses a server that could lose a confirmed pet, or could not store every name. */
async function requireSafe(sql: SQL): Promise<void> {
  for (const [setting, right] of [
    ['fsync', 'on'],
    ['server_encoding', 'UTF8'],
  ]) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (row.value === right) continue;
    throw new OperatorError(
      `The PostgreSQL server has ${setting}=${row.value}, which is not safe. Set it to ${right}.`,
    );
  }
}
