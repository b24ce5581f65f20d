import type { SQL } from 'bun';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import { addressOf, cannotUse, requireKnownSslMode } from './address.ts';
import { migrate, requireCurrent } from './migrate.ts';
import { Pool, type PoolOptions } from './pool.ts';

export interface OpenOptions extends PoolOptions {
  /** The setting or option that gave the URL, for messages. */
  readonly setting: string;
}

/** Connects, checks that the server is safe to store in, and migrates the schema. */
export function openPool(url: string, options: OpenOptions): Promise<Pool> {
  return open(url, options, (pool) => migrate(pool.sql));
}

/** Connects for a command, which neither creates nor migrates the schema. */
export function openExistingPool(url: string, options: OpenOptions): Promise<Pool> {
  return open(url, options, (pool) => pool.ask((sql) => requireCurrent(sql, addressOf(url))));
}

async function open(
  url: string,
  options: OpenOptions,
  prepareSchema: (pool: Pool) => Promise<void>,
): Promise<Pool> {
  const { setting } = options;
  requireKnownSslMode(url, setting);
  const pool = new Pool(url, options);
  try {
    await pool.ask(requireSafe);
    await prepareSchema(pool);
    return pool;
  } catch (error) {
    await pool[Symbol.asyncDispose]();
    if (error instanceof OperatorError) throw error;
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    throw await cannotUse(addressOf(url), setting, cause);
  }
}

/** Refuses a server that could lose a confirmed pet, or could not store every name. */
async function requireSafe(sql: SQL): Promise<void> {
  for (const [setting, right] of [
    ['fsync', 'on'],
    ['server_encoding', 'UTF8'],
  ]) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (row.value === right) continue;
    throw new OperatorError(
      `The PostgreSQL server has ${setting}=${row.value}, which is not safe. Set it to ${right}.`,
    );
  }
}
