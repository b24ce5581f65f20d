import { SQL } from 'bun';
import {
  type Backend,
  type BackendOptions,
  revisionByTime,
  type Store,
} from '../../domain/backend.ts';
import { NO_JOURNAL } from '../../domain/counts-journal.ts';
import { OperatorError } from '../../domain/error.ts';
import { type Origin, SERVICE } from '../../domain/operator/audit.ts';
import { sampled } from '../../domain/sampled.ts';
import { isServerUrl } from '../../domain/server-url.ts';
import { auditLog } from '../sql/audit.ts';
import { operatorStore } from '../sql/operator-store.ts';
import { exportStore, importStore } from '../sql/transfer.ts';
import { openExistingPool, openPool, type Pool } from './pool.ts';
import { postgresHistoryWriter, postgresKeyFinder, postgresPetStore } from './requests.ts';
import { postgresSql } from './sql.ts';

const URL_PATTERN = /^postgres(ql)?:\/\/./;

/** A revocation must hold within a second, so keys are cached for half of one. */
const CACHED_MS = 500;

/** The server looks at every file of the database to find its size. */
const SIZE_MAX_AGE_MS = 60_000;

export function isPostgresUrl(text: string): boolean {
  return isServerUrl(text, URL_PATTERN);
}

export function postgresAt(options: BackendOptions): Backend {
  const { url } = options;
  const shownUrl = withoutPassword(url);
  const forCommand = { ...options, connections: 1 };
  return {
    isEmbedded: false,
    name: 'postgresql',
    description: withoutCredentials(url),
    openStore: (onCommit) => openStore(options, onCommit),
    async openForCommand(origin) {
      const database = postgresSql(await openExistingPool(url, forCommand));
      return {
        ...operatorStore({ database, origin, now: options.now, openCounts: () => undefined }),
        [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
      };
    },
    async openExport() {
      return await exportStore(postgresSql(await openExistingPool(url, forCommand)));
    },
    async importAll(records, lastIds, origin) {
      await using database = postgresSql(await openPool(url, forCommand));
      const audit = auditLog(database, origin, options.now);
      await importStore(database, records, lastIds, audit);
    },
    async backup(file) {
      throw new OperatorError(backupAdvice(shownUrl, file));
    },
    async restore(file) {
      throw new OperatorError(restoreAdvice(shownUrl, file));
    },
  };
}

export function explainPostgresError(error: unknown): string | undefined {
  return error instanceof SQL.PostgresError
    ? `PostgreSQL cannot be used: ${error.message}.`
    : undefined;
}

async function openStore(
  options: BackendOptions,
  onCommit?: (creations: number) => void,
): Promise<Store> {
  const { url, now, elapsed } = options;
  const pool = await openPool(url, options);
  const database = postgresSql(pool);
  const forOperator = (origin: Origin) =>
    operatorStore({ database, origin, now, openCounts: () => undefined });
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

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}

/**
 * PostgreSQL has backup tools that nobody should reinvent. These lines can be pasted. The tools ask
 * for the password, or read it from ~/.pgpass, so the URL must not contain it.
 */
function backupAdvice(url: string, file: string): string {
  return [
    'The store is a PostgreSQL database. Back it up with pg_dump:',
    `  pg_dump --format=custom --file=${shellWord(file)} ${shellWord(url)}`,
  ].join('\n');
}

function restoreAdvice(url: string, file: string): string {
  return [
    'The store is a PostgreSQL database. Stop all instances, then restore it with pg_restore:',
    `  pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${shellWord(url)} ${shellWord(file)}`,
  ].join('\n');
}

/** Text that a shell takes as one word, unchanged. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
