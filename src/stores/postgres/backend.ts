import {
  type Backend,
  type BackendOptions,
  BEFORE_RESTORE,
  revisionByTime,
  type Store,
} from '#domain/backend.ts';
import { NO_JOURNAL } from '#domain/counts-journal.ts';
import { MINUTE_MS } from '#domain/durations.ts';
import { type Origin, SERVICE } from '#domain/operator/audit.ts';
import { isServerUrl } from '#formats/server-url.ts';
import { quoted } from '#formats/shell-text.ts';
import { operatorStore } from '#stores/sql/operator-store.ts';
import { sampled } from '#timing/sampled.ts';
import { openExistingPool, openPool, type Pool, withoutPassword } from './pool.ts';
import { postgresHistoryWriter, postgresKeyFinder, postgresPetStore } from './requests.ts';
import { postgresSql } from './sql.ts';

/** Refuses several hosts separated by commas, which libpq accepts but the driver does not. A password may have a comma. */
const URL_PATTERN = /^postgres(ql)?:\/\/([^/?#]*@)?[^,@/?#]+([/?#]|$)/;

/** A revocation must take effect within a second, so keys are cached for half a second. */
const CACHED_MS = 500;

/** The size is read rarely, because the server looks at every file of the database to find it. */
const SIZE_MAX_AGE_MS = MINUTE_MS;

export function isPostgresUrl(text: string): boolean {
  return isServerUrl(text, URL_PATTERN);
}

export function postgresAt(options: BackendOptions): Backend {
  const description = withoutPassword(options.url);
  const forCommand = { ...options, connections: 1 };
  return {
    name: 'postgresql',
    description,
    openStore: (onCommit) => openStore(options, onCommit),
    openForCommand: async (origin) =>
      operatorStore(postgresSql(await openExistingPool(forCommand)), origin, options.now),
    async importAll(batches, lastIds, origin) {
      await using store = operatorStore(
        postgresSql(await openPool(forCommand)),
        origin,
        options.now,
      );
      await store.importAll(batches, lastIds);
    },
    // The URL in these commands has no password, for which the tools ask.
    backups: {
      kind: 'tools',
      howToBackup: (file) =>
        'The store is a PostgreSQL database. Back it up with pg_dump:\n' +
        `  pg_dump --format=custom --file=${quoted(file)} ${quoted(description)}`,
      howToRestore: (file) =>
        `The store is a PostgreSQL database. ${BEFORE_RESTORE} ` +
        'Stop all instances, then restore it with pg_restore:\n' +
        `  pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${quoted(description)} ${quoted(file)}`,
    },
  };
}

async function openStore(
  options: BackendOptions,
  onCommit?: (creations: number) => void,
): Promise<Store> {
  const { now, elapsed } = options;
  const pool = await openPool(options);
  const database = postgresSql(pool);
  const forOperator = (origin: Origin) => operatorStore(database, origin, now);
  const { accounts, environment, history } = forOperator(SERVICE);
  return {
    keys: postgresKeyFinder(pool),
    pets: postgresPetStore(pool, onCommit),
    accounts,
    revision: revisionByTime(elapsed, CACHED_MS),
    journal: NO_JOURNAL,
    history: { ...history, ...postgresHistoryWriter(pool) },
    environment,
    forOperator,
    isAlive: () => true,
    sizeBytes: sampled(() => databaseSize(pool), SIZE_MAX_AGE_MS, elapsed),
    pools: () => pool.loads(),
    isReady: () => pool.isReady(),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

async function databaseSize(pool: Pool): Promise<number> {
  const [row] = await pool.query<{ bytes: bigint }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  );
  return Number(row?.bytes);
}
