import { OperatorError } from '../domain/error.ts';
import type { Store } from '../domain/store.ts';
import { PostgresAccountStore } from './account-store.ts';
import { migrate } from './migrate.ts';
import { PostgresPetStore } from './pet-store.ts';
import { openPool, reaching, requireDurable } from './pool.ts';

/** Throws `OperatorError` when the server cannot be reached, or is not safe to store in. */
export async function openPostgresStore(url: string, connections: number): Promise<Store> {
  const sql = openPool(url, connections);
  try {
    await reaching(requireDurable(sql));
    await reaching(migrate(sql));
  } catch (error) {
    await sql.close();
    if (error instanceof OperatorError) throw error;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new OperatorError(`Cannot use the PostgreSQL server of DATABASE_URL: ${reason}.`);
  }
  return {
    pets: new PostgresPetStore(sql),
    accounts: new PostgresAccountStore(sql),
    isAlive: () => true,
    isReady: async () => {
      await reaching(sql`SELECT 1`);
      return true;
    },
    [Symbol.asyncDispose]: () => sql.close(),
  };
}
