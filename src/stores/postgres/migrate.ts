import type { SQL } from 'bun';
import createStore from '../../../migrations/postgres/0001_create_store.sql' with { type: 'text' };
import addOrigins from '../../../migrations/postgres/0002_add_origins.sql' with { type: 'text' };
import { OperatorError } from '../../domain/error.ts';
import { requireNotNewer } from '../sql/version.ts';

export const MIGRATIONS: readonly string[] = [createStore, addOrigins];
/** Queries of running instances wait behind a migration that waits for a table. */
const LOCK_WAIT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** An arbitrary number that every instance uses. */
const LOCK = 8_017_262;

/** Applies missing migrations. Instances that start together wait for each other. */
export async function migrate(sql: SQL, migrations = MIGRATIONS): Promise<void> {
  // Checked first, so that a user without DDL rights can start on an up-to-date schema.
  if ((await countApplied(sql)) === migrations.length) return;
  const migrating = sql.begin(async (transaction) => {
    await transaction`SET LOCAL statement_timeout = 0`;
    await transaction`SELECT pg_advisory_xact_lock(${LOCK})`;
    await transaction`CREATE TABLE IF NOT EXISTS animal_store_migrations (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`;
    const applied = await countApplied(transaction);
    requireNotNewer(applied, migrations.length, 'this database');
    await transaction.unsafe(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    for (const [index, migration] of migrations.entries()) {
      if (index < applied) continue;
      await transaction.unsafe(migration);
      await transaction`INSERT INTO animal_store_migrations (version) VALUES (${index + 1})`;
    }
  });
  await migrating.catch((error) => {
    if (error.errno !== LOCK_NOT_AVAILABLE) throw error;
    throw new OperatorError(
      'Cannot migrate the database while another program uses its tables, such as an export or a ' +
        'dump. Try again once that has ended.',
    );
  });
}

export async function countApplied(sql: SQL): Promise<number> {
  const [{ exists }] =
    await sql`SELECT to_regclass('animal_store_migrations') IS NOT NULL AS exists`;
  if (!exists) return 0;
  const [{ applied }] = await sql`SELECT count(*)::integer AS applied FROM animal_store_migrations`;
  return applied;
}
