import { SQL } from 'bun';
import { Sampled } from '../../async/sampled.ts';
import type { BackendKind, BackendOptions, OperatorStore, Store } from '../../domain/backend.ts';
import { OperatorError } from '../../domain/error.ts';
import { SERVICE } from '../../domain/operator/audit.ts';
import { revisionByTime } from '../../domain/revision.ts';
import { isServerUrl } from '../../domain/server-url.ts';
import { NO_JOURNAL } from '../../domain/usage-journal.ts';
import { AuditLog, auditReader } from '../sql/audit-log.ts';
import { SqlStagingStore } from '../sql/staging-store.ts';
import { PostgresAccountStore } from './account-store.ts';
import { backupAdvice, restoreAdvice } from './backup-advice.ts';
import { PostgresHistoryReader, postgresHistoryWriter } from './history.ts';
import { openExistingPool, openPool } from './open-pool.ts';
import { PostgresOperatorPets } from './operator-pets.ts';
import { PostgresPetStore } from './pet-store.ts';
import type { Pool } from './pool.ts';
import { postgresRunner } from './run-steps.ts';
import { notResponding } from './server-errors.ts';
import { exportPostgres, importIntoPostgres } from './transfer.ts';

const URL_PATTERN = /^postgres(ql)?:\/\/./;

/** A revocation must hold within a second, so keys are cached for half of one. */
const CACHED_MS = 500;

/** The server looks at every file of the database to find its size. */
const SIZE_MAX_AGE_MS = 60_000;

export const postgres: BackendKind = {
  example: 'postgres://user@host/database',
  at(url, options) {
    if (!isServerUrl(url, URL_PATTERN)) return undefined;
    const description = withoutCredentials(url);
    const shownUrl = withoutPassword(url);
    const forCommand = { ...options, connections: 1 };
    return {
      isEmbedded: false,
      name: 'postgresql',
      description,
      url: shownUrl,
      files: [],
      openStore: (onCommit) => openStore(url, description, options, onCommit),
      async openForCommand(origin) {
        const pool = await openExistingPool(url, forCommand);
        const dispose = () => pool[Symbol.asyncDispose]();
        return operatorStore(pool, description, new AuditLog(origin, options.now), dispose);
      },
      openExport: () => exportPostgres(url, forCommand),
      importAll: (records, lastPetId, origin) =>
        importIntoPostgres(url, forCommand, records, lastPetId, new AuditLog(origin, options.now)),
      async backup(file) {
        throw new OperatorError(backupAdvice(shownUrl, file));
      },
      async restore(file) {
        throw new OperatorError(restoreAdvice(shownUrl, file));
      },
    };
  },
  explain: (error) =>
    error instanceof SQL.PostgresError ? `PostgreSQL cannot be used: ${error.message}.` : undefined,
};

async function openStore(
  url: string,
  description: string,
  options: BackendOptions,
  onCommit?: (creations: number) => void,
): Promise<Store> {
  const { now } = options;
  const pool = await openPool(url, options);
  const log = new AuditLog(SERVICE, now);
  const size = new Sampled(() => databaseSize(pool), SIZE_MAX_AGE_MS);
  return {
    pets: new PostgresPetStore(pool, onCommit),
    accounts: new PostgresAccountStore(pool, log),
    revision: revisionByTime(now, CACHED_MS),
    journal: NO_JOURNAL,
    history: postgresHistoryWriter(pool),
    staging: new SqlStagingStore(postgresRunner(pool), log),
    forOperator: (origin) => operatorStore(pool, description, new AuditLog(origin, now)),
    isAlive: () => true,
    sizeBytes: () => size.value,
    pools: () => pool.loads(),
    isReady: () => pool.isReady(),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function operatorStore(
  pool: Pool,
  description: string,
  log: AuditLog,
  dispose: () => Promise<void> = async () => {},
): OperatorStore {
  const runner = postgresRunner(pool);
  return {
    description,
    accounts: new PostgresAccountStore(pool, log),
    history: new PostgresHistoryReader(pool),
    openPets: () => new PostgresOperatorPets(pool, log),
    openUsage: () => undefined,
    audit: auditReader(runner),
    staging: new SqlStagingStore(runner, log),
    [Symbol.asyncDispose]: dispose,
  };
}

async function databaseSize(pool: Pool): Promise<number> {
  // A further query would only wait as well.
  if (pool.isSilent) throw notResponding();
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
