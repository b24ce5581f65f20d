import { SQL } from 'bun';
import { withDeadline } from '../async/deadline.ts';
import { OperatorError, StoreUnavailableError } from '../domain/error.ts';
import { addressOf, cannotUse } from './address.ts';
import { migrate, requireCurrent } from './migrate.ts';

const CONNECT_SECONDS = 2;
const STATEMENT_MS = 2_500;
const RESPONSE_MS = 3_000;
const CLOSE_SECONDS = 1;

/**
 * SQLSTATE classes of a server that cannot serve right now: connection failures, conflicts, out of
 * resources, shutting down, or read-only during a failover.
 */
const UNAVAILABLE = /^(08|28|3D|40|53|57|58|25006)/;

/** The driver's codes for a server that cannot be reached, or no longer. */
const LOST_CONNECTION = /^ERR_POSTGRES_.*(CONNECTION|TIMEOUT|CLOSED)/;

/** A bounded number of connections, each with a statement timeout. */
export class Pool implements AsyncDisposable {
  readonly #url: string;
  readonly #connections: number;
  #sql: SQL;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#connections = connections;
    this.#sql = this.#connect();
  }

  /** For work that may take longer than a request. */
  get sql(): SQL {
    return this.#sql;
  }

  /** Throws `StoreUnavailableError` when the server is away or does not respond in time. */
  async ask<T>(query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    const sql = this.#sql;
    const late = () => {
      this.#replace(sql);
      return new StoreUnavailableError(new Error('PostgreSQL does not respond'));
    };
    try {
      return await withDeadline(RESPONSE_MS, query(sql), late);
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailableError(error) : error;
    }
  }

  /** Runs one statement with values for `$1`, `$2` and so on, and returns its rows. */
  query<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    return this.ask((sql) => sql.unsafe<Row[]>(statement, values));
  }

  /** A connection to a server that vanished would stay silent forever. */
  #replace(silent: SQL): void {
    if (silent !== this.#sql) return;
    this.#sql = this.#connect();
    silent.close({ timeout: 0 }).catch(() => {});
  }

  #connect(): SQL {
    return new SQL(this.#url, {
      max: this.#connections,
      // Without this, int8 columns would come as text.
      bigint: true,
      connectionTimeout: CONNECT_SECONDS,
      connection: { application_name: 'animal-store', statement_timeout: STATEMENT_MS },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql.close({ timeout: CLOSE_SECONDS });
  }
}

export interface PoolOptions {
  readonly connections: number;
  /** The setting or option that gave the URL, for messages. */
  readonly setting: string;
}

/** Connects, checks that the server is safe to store in, and migrates the schema. */
export function openPool(url: string, options: PoolOptions): Promise<Pool> {
  return open(url, options, (pool) => migrate(pool.sql));
}

/** Connects for a command, which neither creates nor migrates the schema. */
export function openExistingPool(url: string, options: PoolOptions): Promise<Pool> {
  return open(url, options, (pool) => pool.ask((sql) => requireCurrent(sql, addressOf(url))));
}

async function open(
  url: string,
  { connections, setting }: PoolOptions,
  prepareSchema: (pool: Pool) => Promise<void>,
): Promise<Pool> {
  const pool = new Pool(url, connections);
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

function isUnavailable(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return code === 'ERR_POSTGRES_SERVER_ERROR'
    ? UNAVAILABLE.test(errno)
    : LOST_CONNECTION.test(code);
}

/** Refuses a server that could lose a confirmed pet, or could not store every name. */
async function requireSafe(sql: SQL): Promise<void> {
  for (const [setting, wrong, right] of [
    ['fsync', /^off$/, 'on'],
    ['synchronous_commit', /^off$/, 'on'],
    ['server_encoding', /^(?!UTF8$)/, 'UTF8'],
  ] as const) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (!wrong.test(row.value)) continue;
    throw new OperatorError(
      `The PostgreSQL server has ${setting}=${row.value}, which is not safe. Set it to ${right}.`,
    );
  }
}
