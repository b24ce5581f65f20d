import { SQLiteError } from 'bun:sqlite';
import { SQL } from 'bun';
import type { Backend, BackendOptions } from '#domain/backend.ts';
import { OperatorError } from '#domain/error.ts';
import { postgresAt } from './postgres/backend.ts';
import { isPostgresUrl, POSTGRES_URL, postgresUrlProblem } from './postgres/postgres-url.ts';
import { isSqliteUrl, sqliteAt } from './sqlite/backend.ts';

export const DEFAULT_DATABASE_URL = 'sqlite:data/animal-store.db';

/** Says what is wrong with a DATABASE_URL, in words that follow the name of the setting. */
export function databaseUrlProblem(text: string): string | undefined {
  if (isSqliteUrl(text)) return undefined;
  if (isPostgresUrl(text)) return postgresUrlProblem(text);
  return `must look like ${DEFAULT_DATABASE_URL} or ${POSTGRES_URL}`;
}

/** Chooses the database by its URL. This does not open it yet. */
export function backendAt(options: BackendOptions): Backend {
  return isSqliteUrl(options.url) ? sqliteAt(options) : postgresAt(options);
}

/** One line for the operator about an error of a store. Returns undefined for any other error. */
export function explainStoreError(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  const isOfDriver = error instanceof SQLiteError || error instanceof SQL.PostgresError;
  return isOfDriver ? `The store cannot be used: ${error.message}.` : undefined;
}
