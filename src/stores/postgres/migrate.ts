import type { SQL } from 'bun';
import { OperatorError } from '#domain/error.ts';
import { requireNotNewer } from '#stores/sql/version.ts';
import createStore from '../../../migrations/postgres/0001_create_store.sql' with { type: 'text' };
import prepareNewColumns from '../../../migrations/postgres/0002_prepare_new_columns.sql' with {
  type: 'text',
};
import addOrigins from '../../../migrations/postgres/0003_add_origins.sql' with { type: 'text' };
import recordChanges from '../../../migrations/postgres/0004_record_changes.sql' with {
  type: 'text',
};

export const MIGRATIONS: readonly string[] = [
  createStore,
  prepareNewColumns,
  addOrigins,
  recordChanges,
];
/** While a migration waits for the lock of a table, queries of running instances wait behind it. So it waits briefly. */
const LOCK_WAIT_MS = 700;
const LOCK_NOT_AVAILABLE = '55P03';
/** The number of the lock for migrations. It is arbitrary, but the same in every version. */
const LOCK = 8_017_262;

/**
 * Applies missing migrations. Each has its own transaction, so that one migration can prepare running instances for
 * the next. Instances that start at the same time wait for each other.
 */
export async function migrateServer(sql: SQL, migrations = MIGRATIONS): Promise<void> {
  // Checked first, so that a user without DDL rights can start on an up-to-date schema.
  while ((await countApplied(sql)) !== migrations.length) await applyNext(sql, migrations);
}

async function applyNext(sql: SQL, migrations: readonly string[]): Promise<void> {
  const migrating = sql.begin(async (transaction) => {
    await transaction`SET LOCAL statement_timeout = 0`;
    await transaction`SELECT pg_advisory_xact_lock(${LOCK})`;
    await transaction`CREATE TABLE IF NOT EXISTS animal_store_migrations (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`;
    const applied = await countApplied(transaction);
    requireNotNewer({ version: applied, known: migrations.length, store: 'this database' });
    const next = migrations[applied];
    // Another instance may have applied the last migration meanwhile.
    if (next === undefined) return;
    await transaction.unsafe(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    await transaction.unsafe(next);
    await transaction`INSERT INTO animal_store_migrations (version) VALUES (${applied + 1})`;
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
