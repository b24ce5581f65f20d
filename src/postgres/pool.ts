import { SQL } from 'bun';
import { AppError, OperatorError } from '../domain/error.ts';

const CONNECT_SECONDS = 2;
const STATEMENT_SECONDS = 5;
const ANSWER_SECONDS = 6;

/** Keeps a bounded number of connections, each with a limit on how long a statement may take. */
export function openPool(url: string, connections: number): SQL {
  return new SQL(url, {
    max: connections,
    // Without it int8 columns would come as text.
    bigint: true,
    connectionTimeout: CONNECT_SECONDS,
    connection: {
      application_name: 'animal-store',
      statement_timeout: STATEMENT_SECONDS * 1000,
      // The driver's dates are UTC, and so are ours.
      timezone: 'UTC',
    },
  });
}

/** Refuses a server that would confirm a commit before it is safe. */
export async function requireDurable(sql: SQL): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (row.value !== 'off') continue;
    throw new OperatorError(
      `The PostgreSQL server has ${setting}=off, so nothing stored in it would be safe. ` +
        `Turn ${setting} on.`,
    );
  }
}

/**
 * SQLSTATE classes that say the server cannot serve just now: connection failures, shutting down
 * or starting up, out of resources, timed out, or read-only in the middle of a failover.
 */
const OUT_OF_REACH = /^(08|53|57|58|25006)/;

/** What the driver reports when there is no server to talk to, or no longer. */
const LOST_CONNECTION = /^ERR_POSTGRES_.*(CONNECTION|TIMEOUT|CLOSED)/;

function isOutOfReach(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  if (code === 'ERR_POSTGRES_SERVER_ERROR') return OUT_OF_REACH.test(errno);
  return LOST_CONNECTION.test(code);
}

function storeUnavailable(cause: unknown): AppError {
  return new AppError('service_unavailable', 'The store cannot be reached. Try again shortly.', {
    retryAfterSeconds: 1,
    cause,
  });
}

/**
 * Waits for a query. A server that is away or does not answer in time becomes
 * `service_unavailable`; any other failure stays what it is.
 */
export async function reaching<T>(query: PromiseLike<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(storeUnavailable(new Error('PostgreSQL does not answer'))),
    ANSWER_SECONDS * 1000,
  );
  try {
    return await Promise.race([query, late]);
  } catch (error) {
    throw isOutOfReach(error) ? storeUnavailable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}
