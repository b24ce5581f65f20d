import { StoreUnavailableError } from '../../domain/error.ts';

/**
 * SQLSTATE classes of a server that cannot serve right now: connection failures, conflicts, out of
 * resources, shutting down, or read-only during a failover.
 */
const UNAVAILABLE = /^(08|28|3D|40|53|57|58|25006)/;

const READ_ONLY = '25006';

/** The driver's codes for a server that cannot be reached, or no longer. */
const LOST_CONNECTION = /^ERR_POSTGRES_.*(CONNECTION|TIMEOUT|CLOSED)/;

export function isUnavailable(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return code === 'ERR_POSTGRES_SERVER_ERROR'
    ? UNAVAILABLE.test(errno)
    : LOST_CONNECTION.test(code);
}

/** The server was the primary once, or is being switched over. */
export function isReadOnly(error: unknown): boolean {
  if (!(error instanceof StoreUnavailableError)) return false;
  return (error.cause as { errno?: string }).errno === READ_ONLY;
}

export function notResponding(): StoreUnavailableError {
  return new StoreUnavailableError(new Error('PostgreSQL does not respond'));
}
