import type { Backend, BackendOptions } from '../domain/backend.ts';
import { explainPostgresError, isPostgresUrl, postgresAt } from './postgres/backend.ts';
import { explainSqliteError, isSqliteUrl, sqliteAt } from './sqlite/backend.ts';

/** Examples of DATABASE_URL. */
export const DATABASE_URLS = 'sqlite:data/animal-store.db or postgres://user@host/database';

export function isDatabaseUrl(text: string): boolean {
  return isSqliteUrl(text) || isPostgresUrl(text);
}

/** Opens nothing yet. */
export function backendAt(options: BackendOptions): Backend {
  return isSqliteUrl(options.url) ? sqliteAt(options) : postgresAt(options);
}

/** One line for the operator about an error of a store. Undefined for any other error. */
export function explainStoreError(error: unknown): string | undefined {
  return explainSqliteError(error) ?? explainPostgresError(error);
}
