import { SQL } from 'bun';
import { OperatorError, StoreUnavailableError } from '#domain/error.ts';
import { withDeadline } from '#timing/deadline.ts';

const CONNECT_SECONDS = 2;
const CLOSE_SECONDS = 1;

/** Connections are replaced at this age, because the host name may by then mean another server, even if the old one still responds. */
const MAX_AGE_SECONDS = 300;

/** As libpq does, the driver encrypts if the server can, unless the URL says otherwise. */
const DEFAULT_SSL_MODE = 'prefer';

/** The server cancels a statement after this fraction of the time limit, before its caller gives up. So the connection stays usable. */
export const STATEMENT_PART = 0.8;

/** Selects backends of earlier generations, whose names begin with `$1` and are not `$2`. */
const EARLIER = "starts_with(application_name, $1 || '.') AND application_name <> $2";

/** Ends idle backends, which a server would keep for hours if it lost the connection to its client without notice. */
const END_IDLE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE ${EARLIER} AND state = 'idle'`;

/**
 * Selects the backends on this server that are a reason to keep the current generation. If the generation still
 * responds (`$4`), any of its backends is a reason, because it shows that the generation leads to this server, and a
 * new one would lead here as well. A silent generation is kept only if backends are overdue. A commit that waits for
 * a standby has no time limit, and continues to wait after its connection is closed, so each new generation would add
 * more such backends.
 */
const KEPT_FOR = `SELECT FROM pg_stat_activity WHERE ${EARLIER} OR application_name = $2 AND ($4
  OR state <> 'idle' AND clock_timestamp() - query_start > $3 * interval '1 millisecond')`;

interface ConnectionOptions {
  /** Has one host. */
  readonly url: string;
  readonly max: number;
  /** A query that takes longer than this is given up. */
  readonly timeoutMs: number;
  /** A connection that is older than this is replaced as soon as it is idle. */
  readonly maxAgeSeconds?: number;
}

/** A process on another machine may have the same id, but does not start in the same microsecond. */
const PROCESS = `${process.pid}-${performance.timeOrigin}`;
let opened = 0;

/** Connections that are replaced together. */
interface Generation {
  readonly sql: SQL;
  /** The name of these connections in `pg_stat_activity`. */
  readonly name: string;
  /** The number of queries that were given up and still have no response. */
  silent: number;
}

/**
 * A bounded number of connections to one server, which share the queries. Their owner decides when they are replaced,
 * and by connections to which server.
 */
export class Connections implements AsyncDisposable {
  readonly #name = `animal-store ${PROCESS}/${++opened}`;
  #generations = 0;
  /** The number of queries whose callers are still waiting. */
  #awaited = 0;
  #current: Generation;
  /** A query failed, and since then these connections were not compared with a new one. */
  #isDoubtful = false;
  #refusal: StoreUnavailableError | undefined;
  #isClosed = false;

  /** `onDoubt` is called whenever there is a reason to look for a better server. */
  constructor(
    private readonly options: ConnectionOptions,
    private readonly onDoubt: () => void,
  ) {
    this.#current = this.#open(options.url);
  }

  /** The connections are made when the first query is sent. */
  #open(url: string): Generation {
    const { max, timeoutMs, maxAgeSeconds = MAX_AGE_SECONDS } = this.options;
    const { searchParams } = new URL(url);
    const name = `${this.#name}.${++this.#generations}`;
    const sql = new SQL(url, {
      max,
      // Behind a pooler, the statements of one connection may run on several connections to the server, where a
      // prepared statement of another is unknown. In that case, the URL has `prepare=false`.
      prepare: searchParams.get('prepare') !== 'false',
      // Without this, the driver would return int8 columns as text.
      bigint: true,
      connectionTimeout: CONNECT_SECONDS,
      maxLifetime: maxAgeSeconds,
      ...(!searchParams.has('sslmode') && { tls: DEFAULT_SSL_MODE }),
      connection: { application_name: name, statement_timeout: timeoutMs * STATEMENT_PART },
    });
    return { sql, name, silent: 0 };
  }

  /** A connection without a deadline, for work that may take longer than a request. */
  get sql(): SQL {
    return this.#current.sql;
  }

  /** Counts queries that were given up, because they still keep their connections busy. */
  get load() {
    const { max } = this.options;
    const queries = this.#awaited + this.#current.silent;
    return { inUse: Math.min(queries, max), waiting: Math.max(0, queries - max) };
  }

  /** New connections may be better than these. */
  get areDoubtful(): boolean {
    return this.#isDoubtful || this.#current.silent > 0;
  }

  doubt(): void {
    this.#isDoubtful = true;
    this.onDoubt();
  }

  /** Throws `StoreUnavailableError` if the server cannot be reached or does not respond in time. */
  async ask<T>(query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const { max, timeoutMs } = this.options;
    const used = this.#current;
    // With one connection, the query would wait behind the one that has no response.
    if (used.silent > 0 && max === 1) throw notResponding();
    const response = query(used.sql);
    this.#awaited++;
    const late = () => {
      used.silent++;
      const onResponse = () => {
        used.silent--;
      };
      response.then(onResponse, onResponse);
      return notResponding();
    };
    try {
      return await withDeadline(timeoutMs, response, late);
    } catch (error) {
      const failure = isUnavailable(error) ? new StoreUnavailableError(error) : error;
      if (failure instanceof StoreUnavailableError) this.doubt();
      throw failure;
    } finally {
      this.#awaited--;
    }
  }

  /**
   * Returns true if these connections are as good as a new one, which is `probe`. A connection to a server that
   * vanished would stay silent forever, and a connection to an old primary would stay open.
   */
  async areKept(probe: Connections): Promise<boolean> {
    this.#isDoubtful = false;
    const { name, silent } = this.#current;
    const overdueMs = this.options.timeoutMs * STATEMENT_PART;
    // This may fail, because it needs a right that the user may not have.
    await probe.ask((sql) => sql.unsafe(END_IDLE, [this.#name, name])).catch(() => {});
    const values = [this.#name, name, overdueMs, silent === 0];
    const reasons = await probe.ask((sql) => sql.unsafe<unknown[]>(KEPT_FOR, values));
    return reasons.length > 0;
  }

  /** Uses new connections from now on, perhaps to another server. */
  replace(url: string): void {
    if (this.#isClosed) return;
    const old = this.#current;
    this.#current = this.#open(url);
    this.#isDoubtful = false;
    this.#refusal = undefined;
    const endIdle = (sql: SQL) => sql.unsafe(END_IDLE, [this.#name, this.#current.name]);
    // The other queries of the old generation may still succeed, so it is not closed at once.
    close(old.sql, this.options.timeoutMs / 1_000)
      .then(() => this.ask(endIdle))
      .catch(() => {});
  }

  /** Closes the connections at once. Until they are replaced, each query fails for this reason. */
  refuse(reason: StoreUnavailableError): void {
    this.#refusal = reason;
    close(this.#current.sql, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await close(this.#current.sql, CLOSE_SECONDS);
  }
}

async function close(sql: SQL, seconds: number): Promise<void> {
  await sql.close({ timeout: seconds }).catch(() => {});
}

/**
 * The SQLSTATE classes of a server that cannot serve right now: a failed connection, a conflict, missing resources, a
 * shutdown, or a server that is read-only during a failover.
 */
const UNAVAILABLE = /^(08|28|3D|40|53|57|58|25006)/;

/** The function of a server in recovery that refuses a write with the SQLSTATE of an internal error. */
const REFUSES_WRITES = 'GetNewTransactionId';

/** The code that the driver gives to an error which the server sent. */
export const SERVER_ERROR = 'ERR_POSTGRES_SERVER_ERROR';

/** The codes of the driver for a server that cannot be reached, or can no longer be reached. */
const LOST_CONNECTION = /^ERR_POSTGRES_.*(CONNECTION|TIMEOUT|CLOSED)/;

function isUnavailable(error: unknown): boolean {
  const { code = '', errno = '', routine } = error as Partial<SQL.PostgresError>;
  return code === SERVER_ERROR
    ? UNAVAILABLE.test(errno) || routine === REFUSES_WRITES
    : LOST_CONNECTION.test(code);
}

export function notResponding(): StoreUnavailableError {
  return new StoreUnavailableError(new OperatorError('PostgreSQL does not respond.'));
}
