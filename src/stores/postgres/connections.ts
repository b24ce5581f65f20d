import { SQL } from 'bun';
import { StoreUnavailableError } from '../../domain/error.ts';
import { withDeadline } from '../sql/jobs.ts';

const CONNECT_SECONDS = 2;
const CLOSE_SECONDS = 1;
const PROBE_SECONDS = 10;
const PROBE_PAUSE_MS = 1_000;

/** The host name may mean another server by now, although the old one still responds. */
const MAX_AGE_SECONDS = 300;

/** Like libpq, encrypts if the server can, unless the URL says otherwise. */
const DEFAULT_SSL_MODE = 'prefer';

/** The server cancels a statement before its caller gives up, so the connection stays usable. */
export const STATEMENT_PART = 0.8;

/** Backends of earlier generations, named `$1` and not `$2`. */
const EARLIER = "starts_with(application_name, $1 || '.') AND application_name <> $2";

/** A server that lost its client without notice would keep idle backends for hours. */
const END_IDLE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE ${EARLIER} AND state = 'idle'`;

/**
 * The backends on this server that are a reason to keep the current generation. If it still responds (`$4`),
 * any of them will do: it leads here, and so would the next. A silent generation is kept only for backends
 * that are overdue: a commit that waits for a standby has no time limit, and goes on after its connection is
 * closed, so a further generation would add to such backends.
 */
const KEPT_FOR = `SELECT FROM pg_stat_activity WHERE ${EARLIER} OR application_name = $2 AND ($4
  OR state <> 'idle' AND clock_timestamp() - query_start > $3 * interval '1 millisecond')`;

interface ConnectionOptions {
  readonly url: string;
  readonly max: number;
  /** A query that takes longer is given up. */
  readonly timeoutMs: number;
  /** After this time, a connection is replaced once it is idle. */
  readonly maxAgeSeconds?: number | undefined;
  /** Called when a probe has replaced all, perhaps by connections to another server. Calls `renew` of others. */
  readonly onReplaced?: () => void;
}

/** The same id on another machine does not start in the same microsecond. */
const PROCESS = `${process.pid}-${performance.timeOrigin}`;
let opened = 0;

/** Connections that are replaced together. */
interface Generation {
  readonly sql: SQL;
  /** Their name in `pg_stat_activity`. */
  readonly name: string;
  /** Queries that were given up and are still without a response. */
  silent: number;
}

/** A bounded number of connections to a server, which share the queries. */
export function openConnections(options: ConnectionOptions) {
  const { max, timeoutMs, onReplaced } = options;
  const ownName = `animal-store ${PROCESS}/${++opened}`;
  let generations = 0;
  /** Queries whose callers wait for them. */
  let awaited = 0;
  let current = open();
  let isProbing = false;
  /** A reason for a probe came after the last one began. */
  let isDue = false;
  let isClosed = false;

  function open(): Generation {
    const name = `${ownName}.${++generations}`;
    return { sql: connect(options, name, CONNECT_SECONDS), name, silent: 0 };
  }

  async function ask<T>(query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    const used = current;
    // The query would wait behind one that is without a response.
    if (used.silent > 0 && max === 1) throw notResponding();
    const response = query(used.sql);
    awaited++;
    const late = () => {
      onSilence(used, response);
      return notResponding();
    };
    try {
      return await withDeadline(timeoutMs, response, late);
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailableError(error) : error;
    } finally {
      awaited--;
    }
  }

  function onSilence(silent: Generation, response: PromiseLike<unknown>): void {
    silent.silent++;
    const onResponse = () => {
      silent.silent--;
    };
    response.then(onResponse, onResponse);
    probe();
  }

  /**
   * Finds out on another connection if new ones would be better, and then replaces all. A connection to a
   * server that vanished would stay silent forever, and one to an old primary would stay open.
   */
  async function probe(): Promise<void> {
    isDue = true;
    if (isProbing) return;
    isProbing = true;
    while ((isDue || current.silent > 0) && !isClosed) {
      isDue = false;
      const generation = current;
      if (!(await isKept(generation)) && generation === current) {
        replace();
        onReplaced?.();
      }
      await Bun.sleep(PROBE_PAUSE_MS);
    }
    isProbing = false;
  }

  /** If the server does not respond to a new connection either, nothing else would help. */
  async function isKept({ name, silent }: Generation): Promise<boolean> {
    const sql = connect({ ...options, max: 1 }, 'animal-store probe', PROBE_SECONDS);
    const ask = async () => {
      // Needs a right that a user may lack.
      await sql.unsafe(END_IDLE, [ownName, name]).catch(() => {});
      return sql.unsafe(KEPT_FOR, [ownName, name, timeoutMs * STATEMENT_PART, silent === 0]);
    };
    try {
      return (await withDeadline(PROBE_SECONDS * 1_000, ask(), notResponding)).length > 0;
    } catch (error) {
      return error instanceof StoreUnavailableError || isUnavailable(error);
    } finally {
      close(sql, 0);
    }
  }

  function replace(): void {
    if (isClosed) return;
    const old = current;
    current = open();
    // Its other queries may be healthy.
    close(old.sql, timeoutMs / 1_000)
      .then(() => ask((sql) => sql.unsafe(END_IDLE, [ownName, current.name])))
      .catch(() => {});
  }

  return {
    /** For work that may take longer than a request. */
    get sql(): SQL {
      return current.sql;
    },

    /** A query that was given up still keeps its connection busy. */
    get load(): { readonly inUse: number; readonly waiting: number } {
      const queries = awaited + current.silent;
      return { inUse: Math.min(queries, max), waiting: Math.max(0, queries - max) };
    },

    /** Throws `StoreUnavailableError` when the server is away or does not respond in time. */
    ask,

    /** Replaces the connections if new ones lead to another server. Looks at most once a second. */
    probe,

    /**
     * Replaces the connections, because others lead to another server by now. This does not ask a probe: some
     * of these may already lead there, and it would then keep them all. Only silent ones are left to it, because
     * their backends may still wait for a standby. Since `onReplaced` is not called, no two renew each other
     * in turn.
     */
    renew(): void {
      if (current.silent > 0) probe();
      else replace();
    },

    async [Symbol.asyncDispose](): Promise<void> {
      isClosed = true;
      await close(current.sql, CLOSE_SECONDS);
    },
  };
}

function connect(
  { url, max, timeoutMs, maxAgeSeconds = MAX_AGE_SECONDS }: ConnectionOptions,
  name: string,
  connectSeconds: number,
): SQL {
  const { searchParams } = new URL(url);
  return new SQL(url, {
    max,
    // A pooler may run the statements of a connection on several connections to the server.
    prepare: searchParams.get('prepare') !== 'false',
    // Without this, int8 columns would come as text.
    bigint: true,
    connectionTimeout: connectSeconds,
    maxLifetime: maxAgeSeconds,
    ...(!searchParams.has('sslmode') && { tls: DEFAULT_SSL_MODE }),
    connection: { application_name: name, statement_timeout: timeoutMs * STATEMENT_PART },
  });
}

async function close(sql: SQL, seconds: number): Promise<void> {
  await sql.close({ timeout: seconds }).catch(() => {});
}

/**
 * SQLSTATE classes of a server that cannot serve right now: connection failures, conflicts, out of
 * resources, shutting down, or read-only during a failover.
 */
const UNAVAILABLE = /^(08|28|3D|40|53|57|58|25006)/;

/** The driver's codes for a server that cannot be reached, or no longer. */
const LOST_CONNECTION = /^ERR_POSTGRES_.*(CONNECTION|TIMEOUT|CLOSED)/;

function isUnavailable(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return code === 'ERR_POSTGRES_SERVER_ERROR'
    ? UNAVAILABLE.test(errno)
    : LOST_CONNECTION.test(code);
}

export function notResponding(): StoreUnavailableError {
  return new StoreUnavailableError(new Error('PostgreSQL does not respond'));
}
