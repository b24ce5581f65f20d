import type { SQL } from 'bun';
import type { BackendOptions, PoolLoad } from '../../domain/backend.ts';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import { addressOf, cannotUse, requireKnownSslMode } from './address.ts';
import { Connections, isReadOnly, STATEMENT_PART } from './connections.ts';
import { migrate, requireCurrent } from './migrate.ts';

/** A request makes two queries: for its key and for its pets. The last fifth of its time is for Redis. */
const PART_OF_REQUEST = 0.4;

/** Of one query over all accounts. */
const REPORT_MS = 60_000;

/**
 * The connections of an instance. Creations have a separate one: while a commit waits for a standby,
 * reads go on. Reports have another, so that requests do not wait for them. The first report opens it.
 */
export class Pool implements AsyncDisposable {
  /** A query that takes longer is given up. */
  readonly queryMs: number;
  readonly #shared: Connections;
  readonly #creator: Connections;
  readonly #reporter: Connections;

  constructor(
    url: string,
    { connections, timeoutMs }: Pick<BackendOptions, 'connections' | 'timeoutMs'>,
  ) {
    this.queryMs = timeoutMs * PART_OF_REQUEST;
    this.#shared = new Connections({ url, max: connections, timeoutMs: this.queryMs });
    this.#creator = new Connections({ url, max: 1, timeoutMs: this.queryMs });
    this.#reporter = new Connections({ url, max: 1, timeoutMs: REPORT_MS });
  }

  /** For work that may take longer than a request. */
  get sql(): SQL {
    return this.#shared.sql;
  }

  /** Throws `StoreUnavailableError` when the server is away or does not respond in time. */
  ask<T>(query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    return this.#shared.ask(query);
  }

  /** Runs one statement with values for `$1`, `$2` and so on, and returns its rows. */
  query<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    return this.ask((sql) => sql.unsafe<Row[]>(statement, values));
  }

  /** Like `query`, for one that takes longer than a request may. */
  report<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    return this.#reporter.ask((sql) =>
      sql.begin(async (transaction) => {
        // Behind a pooler, the role has the time limit of a request.
        await transaction.unsafe(`SET LOCAL statement_timeout = ${REPORT_MS * STATEMENT_PART}`);
        return await transaction.unsafe<Row[]>(statement, values);
      }),
    );
  }

  /** Like `ask`, for statements that create pets. */
  async create<T>(query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    try {
      return await this.#creator.ask(query);
    } catch (error) {
      if (isReadOnly(error)) this.#reconnect();
      throw error;
    }
  }

  loads(): PoolLoad[] {
    return [
      { pool: 'shared', ...this.#shared.load },
      { pool: 'creations', ...this.#creator.load },
    ];
  }

  /** The server accepts writes, and would keep them in a power cut. */
  async isReady(): Promise<boolean> {
    const check = async (connections: Connections) => {
      const [row] = await connections.ask(
        (sql) => sql`SELECT current_setting('transaction_read_only') = 'off' AS "isWritable",
          current_setting('fsync') = 'on' AS "isSafe"`,
      );
      return row;
    };
    const servers = await Promise.all([check(this.#shared), check(this.#creator)]);
    if (servers.some(({ isWritable }) => !isWritable)) this.#reconnect();
    return servers.every(({ isWritable, isSafe }) => isWritable && isSafe);
  }

  /** Another server may be the primary by now. */
  #reconnect(): void {
    for (const each of this.#all) each.reconnect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((each) => each[Symbol.asyncDispose]()));
  }

  get #all(): Connections[] {
    return [this.#shared, this.#creator, this.#reporter];
  }
}

/** Connects, checks that the server is safe to store in, and migrates the schema. */
export function openPool(url: string, options: BackendOptions): Promise<Pool> {
  return open(url, options, (pool) => migrate(pool.sql));
}

/** Connects for a command, which neither creates nor migrates the schema. */
export function openExistingPool(url: string, options: BackendOptions): Promise<Pool> {
  return open(url, options, (pool) => pool.ask((sql) => requireCurrent(sql, addressOf(url))));
}

async function open(
  url: string,
  options: BackendOptions,
  prepareSchema: (pool: Pool) => Promise<void>,
): Promise<Pool> {
  const { setting } = options;
  requireKnownSslMode(url, setting);
  const pool = new Pool(url, options);
  try {
    await pool.ask(requireSafe);
    await prepareSchema(pool);
    return pool;
  } catch (error) {
    await pool[Symbol.asyncDispose]();
    if (error instanceof OperatorError) throw error;
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    throw await cannotUse(addressOf(url), setting, cause);
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
