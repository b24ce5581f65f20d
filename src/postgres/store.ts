import { OperatorError } from '../domain/error.ts';
import type { Store } from '../domain/store.ts';
import { PostgresAccountStore } from './account-store.ts';
import { migrate } from './migrate.ts';
import { PostgresPetStore } from './pet-store.ts';
import { Pool, requireSafe } from './pool.ts';

/** Throws `OperatorError` when the server cannot be reached, or is not safe to store in. */
export async function openPostgresStore(url: string, connections: number): Promise<Store> {
  const pool = await openPreparedPool(url, connections);
  return {
    pets: new PostgresPetStore(pool),
    accounts: new PostgresAccountStore(pool),
    isAlive: () => true,
    isReady: async () => {
      await pool.ask((sql) => sql`SELECT 1`);
      return true;
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

/** Connections to a server that was found safe, with the schema up to date. */
export async function openPreparedPool(url: string, connections: number): Promise<Pool> {
  const pool = new Pool(url, connections);
  try {
    await pool.ask(requireSafe);
    await migrate(pool.sql);
    return pool;
  } catch (error) {
    await pool[Symbol.asyncDispose]();
    if (error instanceof OperatorError) throw error;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new OperatorError(`Cannot use the PostgreSQL server of DATABASE_URL: ${reason}.`);
  }
}
