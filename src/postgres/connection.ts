import { SQL } from 'bun';

const CONNECT_SECONDS = 2;

/** The server cancels a statement before its caller gives up, so an open connection stays usable. */
const STATEMENT_MS = 2_000;

/**
 * SQLSTATE classes of a server that cannot serve right now: connection failures, conflicts, out of
 * resources, shutting down, or read-only during a failover.
 */
const UNAVAILABLE = /^(08|28|3D|40|53|57|58|25006)/;

const READ_ONLY = '25006';

/** The driver's codes for a server that cannot be reached, or no longer. */
const LOST_CONNECTION = /^ERR_POSTGRES_.*(CONNECTION|TIMEOUT|CLOSED)/;

/** Like libpq, encrypts if the server can, unless the URL says otherwise. */
const DEFAULT_SSL_MODE = 'prefer';

export function connect(url: string): SQL {
  return new SQL(url, {
    max: 1,
    // Without this, int8 columns would come as text.
    bigint: true,
    connectionTimeout: CONNECT_SECONDS,
    ...(!new URL(url).searchParams.has('sslmode') && { tls: DEFAULT_SSL_MODE }),
    connection: { application_name: 'animal-store', statement_timeout: STATEMENT_MS },
  });
}

/** Process ids are used again, so the start time is part of the id. */
const BACKEND_ID = `pid || ' ' || backend_start`;

/** Identifies the process of the server behind a connection. */
export async function backendId(sql: SQL): Promise<string> {
  const query = `SELECT ${BACKEND_ID} AS id FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
  const [{ id }] = await sql.unsafe<[{ id: string }]>(query);
  return id;
}

/**
 * The given backends that still run. Asks those to end that only wait for a client they can no longer
 * reach: the server would notice that after hours.
 */
export async function runningBackends(sql: SQL, ids: readonly string[]): Promise<string[]> {
  const query = `SELECT ${BACKEND_ID} AS id, state = 'idle' AND pg_terminate_backend(pid)
    FROM pg_stat_activity WHERE ${BACKEND_ID} = ANY($1)`;
  const rows = await sql.unsafe<{ id: string }[]>(query, [sql.array([...ids], 'TEXT')]);
  return rows.map(({ id }) => id);
}

export function isUnavailable(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return code === 'ERR_POSTGRES_SERVER_ERROR' ? UNAVAILABLE.test(errno) : isLost(error);
}

/** The connection cannot be used again. */
export function isLost(error: unknown): boolean {
  return LOST_CONNECTION.test((error as { code?: string }).code ?? '');
}

/** The server was the primary once, or is being switched over. */
export function isReadOnly(error: unknown): boolean {
  return (error as { errno?: string }).errno === READ_ONLY;
}
