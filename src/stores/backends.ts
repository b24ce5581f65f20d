import type { Backend, BackendOptions } from '../domain/backend.ts';
import { explainPostgresError, postgresAt } from './postgres/backend.ts';
import { explainSqliteError, sqliteAt } from './sqlite/backend.ts';

/** Examples of DATABASE_URL. */
export const DATABASE_URLS = 'sqlite:data/animal-store.db or postgres://user@host/database';

/** Undefined if the URL names no kind of database. Opens nothing yet. */
export function backendAt(url: string, options: BackendOptions): Backend | undefined {
  return sqliteAt(url, options) ?? postgresAt(url, options);
}

/** One line for the operator about an error of a store. Undefined for any other error. */
export function explainStoreError(error: unknown): string | undefined {
  return explainSqliteError(error) ?? explainPostgresError(error);
}
