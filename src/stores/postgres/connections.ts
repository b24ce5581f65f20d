import { SQL } from 'bun';
import { StoreUnavailableError } from '#domain/error.ts';
import { withDeadline } from '#timing/deadline.ts';

const CONNECT_SECONDS = 2;
const CLOSE_SECONDS = 1;
const PROBE_SECONDS = 10;
const PROBE_PAUSE_MS = 1_000;

/** Connections are replaced after this time, because the host name may lead to another server, although the old one still responds. */
const MAX_AGE_SECONDS = 300;

/** As libpq does, the driver encrypts if the server can, unless the URL says otherwise. */
const DEFAULT_SSL_MODE = 'prefer';

/** The server cancels a statement after this part of the time limit, before its caller gives up. So the connection stays usable. */
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
  readonly url: string;
  readonly max: number;
  /** A query that takes longer than this is given up. */
  readonly timeoutMs: number;
  /** A connection that is older than this is replaced as soon as it is idle. */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Called when a probe has replaced all connections, perhaps by connections to another server. The owner then calls
   * `renew` of its other groups.
   */
  readonly onReplaced?: () => void;
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

/** Opens a bounded number of connections to a server, which share the queries. */
export function openConnections(options: ConnectionOptions) {
  const { max, timeoutMs, onReplaced } = options;
  const ownName = `animal-store ${PROCESS}/${++opened}`;
  let generations = 0;
  /** The number of queries whose callers are still waiting. */
  let awaited = 0;
  let current = open();
  let isProbing = false;
  /** There was a reason for a probe after the last probe began. */
  let isDue = false;
  let isClosed = false;

  function open(): Generation {
    const name = `${ownName}.${++generations}`;
    return { sql: connect(options, name, CONNECT_SECONDS), name, silent: 0 };
  }

  async function ask<T>(query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    const used = current;
    // With one connection, the query would wait behind the one that has no response.
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
   * Finds out with a separate connection whether new connections would be better, and then replaces all. A connection
   * to a server that vanished would stay silent forever, and a connection to an old primary would stay open.
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

  /** Keeps the connections if the server does not respond to a new one either, because replacing them would not help. */
  async function isKept({ name, silent }: Generation): Promise<boolean> {
    const sql = connect({ ...options, max: 1 }, 'animal-store probe', PROBE_SECONDS);
    const ask = async () => {
      // This may fail, because it needs a right that the user may not have.
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
    // The other queries of the old generation may still succeed, so it is not closed at once.
    close(old.sql, timeoutMs / 1_000)
      .then(() => ask((sql) => sql.unsafe(END_IDLE, [ownName, current.name])))
      .catch(() => {});
  }

  return {
    /** A connection without a deadline, for work that may take longer than a request. */
    get sql(): SQL {
      return current.sql;
    },

    /** Counts queries that were given up, because they still keep their connections busy. */
    get load(): { readonly inUse: number; readonly waiting: number } {
      const queries = awaited + current.silent;
      return { inUse: Math.min(queries, max), waiting: Math.max(0, queries - max) };
    },

    /** Throws `StoreUnavailableError` if the server cannot be reached or does not respond in time. */
    ask,

    /** Replaces the connections if new ones lead to another server. Looks at most once a second. */
    probe,

    /**
     * Replaces the connections, because another group found that they should lead to another server. No probe
     * decides this: some of these connections may already lead to the new server, and a probe would then keep them
     * all. Only a group with silent connections is left to a probe, because their backends may still wait for a
     * standby. `onReplaced` is not called, so that two groups do not renew each other forever.
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
    // Behind a pooler, the statements of one connection may run on several connections to the server, where a
    // prepared statement of another is unknown. The URL can say so.
    prepare: searchParams.get('prepare') !== 'false',
    // Without this, the driver would return int8 columns as text.
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
 * The SQLSTATE classes of a server that cannot serve right now: a failed connection, a conflict, missing resources, a
 * shutdown, or a server that is read-only during a failover.
 */
const UNAVAILABLE = /^(08|28|3D|40|53|57|58|25006)/;

/** The codes of the driver for a server that cannot be reached, or can no longer be reached. */
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
