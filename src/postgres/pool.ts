import { SQL } from 'bun';
import { withDeadline } from '../domain/deadline.ts';
import { OperatorError, storeUnavailable } from '../domain/error.ts';

const CONNECT_SECONDS = 2;
const STATEMENT_MS = 2_500;
const ANSWER_MS = 3_000;
const CLOSE_SECONDS = 1;

/**
 * SQLSTATE classes that say the server cannot serve just now: connection failures, conflicts with
 * others, out of resources, shutting down, or read-only in the middle of a failover.
 */
const OUT_OF_REACH = /^(08|28|3D|40|53|57|58|25006)/;

/** What the driver reports when there is no server to talk to, or no longer. */
const LOST_CONNECTION = /^ERR_POSTGRES_.*(CONNECTION|TIMEOUT|CLOSED)/;

/** Keeps a bounded number of connections, each with a limit on how long a statement may take. */
export class Pool implements AsyncDisposable {
  readonly #url: string;
  readonly #connections: number;
  #sql: SQL;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#connections = connections;
    this.#sql = this.#connect();
  }

  /** The connections as they are now, for work that may take longer than a request. */
  get sql(): SQL {
    return this.#sql;
  }

  /**
   * Waits for a query. A server that is away or does not answer in time becomes
   * `service_unavailable`; any other failure stays what it is.
   */
  async ask<T>(query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    const sql = this.#sql;
    const late = () => {
      this.#replace(sql);
      return storeUnavailable(new Error('PostgreSQL does not answer'));
    };
    try {
      return await withDeadline(ANSWER_MS, query(sql), late);
    } catch (error) {
      throw isOutOfReach(error) ? storeUnavailable(error) : error;
    }
  }

  /** A connection to a server that vanished without a word would stay silent for ever. */
  #replace(silent: SQL): void {
    if (silent !== this.#sql) return;
    this.#sql = this.#connect();
    silent.close({ timeout: 0 }).catch(() => {});
  }

  #connect(): SQL {
    return new SQL(this.#url, {
      max: this.#connections,
      // Without it int8 columns would come as text.
      bigint: true,
      connectionTimeout: CONNECT_SECONDS,
      connection: { application_name: 'animal-store', statement_timeout: STATEMENT_MS },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql.close({ timeout: CLOSE_SECONDS });
  }
}

function isOutOfReach(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return code === 'ERR_POSTGRES_SERVER_ERROR'
    ? OUT_OF_REACH.test(errno)
    : LOST_CONNECTION.test(code);
}

/** Refuses a server that would lose what it has confirmed, or could not spell a name. */
export async function requireSafe(sql: SQL): Promise<void> {
  for (const [setting, wrong, right] of [
    ['fsync', /^off$/, 'on'],
    ['synchronous_commit', /^off$/, 'on'],
    ['server_encoding', /^(?!UTF8$)/, 'UTF8'],
  ] as const) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (!wrong.test(row.value)) continue;
    throw new OperatorError(
      `The PostgreSQL server has ${setting}=${row.value}, so nothing would be safe in it. ` +
        `It must be ${right}.`,
    );
  }
}
