import type { SQL } from 'bun';
import createStore from '../../migrations/postgres/0001_create_store.sql' with { type: 'text' };
import addAudit from '../../migrations/postgres/0002_audit.sql' with { type: 'text' };
import { writtenByNewerVersion } from '../domain/error.ts';

const MIGRATIONS = [createStore, addAudit];
/** An arbitrary number that every instance uses. */
const LOCK = 8_017_262;

/** Applies missing migrations. Instances that start together wait for each other. */
export async function migrate(sql: SQL): Promise<void> {
  // Checked first, so that a user without DDL rights can start on an up-to-date schema.
  if ((await countApplied(sql)) === MIGRATIONS.length) return;
  await sql.begin(async (transaction) => {
    await transaction`SET LOCAL statement_timeout = 0`;
    await transaction`SELECT pg_advisory_xact_lock(${LOCK})`;
    await transaction`CREATE TABLE IF NOT EXISTS animal_store_migrations (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`;
    const applied = await countApplied(transaction);
    if (applied > MIGRATIONS.length) throw writtenByNewerVersion('database');
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < applied) continue;
      await transaction.unsafe(migration);
      await transaction`INSERT INTO animal_store_migrations (version) VALUES (${index + 1})`;
    }
  });
}

async function countApplied(sql: SQL): Promise<number> {
  const [{ exists }] =
    await sql`SELECT to_regclass('animal_store_migrations') IS NOT NULL AS exists`;
  if (!exists) return 0;
  const [{ applied }] = await sql`SELECT count(*)::integer AS applied FROM animal_store_migrations`;
  return applied;
}
