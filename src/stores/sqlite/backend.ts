import { type Database, SQLiteError } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BackendKind, OperatorStore, Store } from '../../domain/backend.ts';
import { OperatorError } from '../../domain/error.ts';
import { SERVICE } from '../../domain/operator/audit.ts';
import { NO_USAGE, type UsageReader } from '../../domain/usage-journal.ts';
import { AuditLog, auditReader } from '../sql/audit-log.ts';
import { SqlStagingStore } from '../sql/staging-store.ts';
import type { StepRunner } from '../sql/steps.ts';
import { SqliteAccountStore } from './account-store.ts';
import { backupSqlite, filesOf, restoreSqlite } from './backup.ts';
import {
  openDatabase,
  openExistingDatabase,
  openExistingUsageDatabase,
  openUsageDatabase,
  prepareFolder,
  withoutWaiting,
} from './database.ts';
import { FileIdentity } from './file-identity.ts';
import { SqliteHistoryReader, sqliteHistoryWriter } from './history.ts';
import { SqliteOperatorPets } from './operator-pets.ts';
import { SqlitePetStore } from './pet-store.ts';
import { realPath } from './real-path.ts';
import { SqliteRevision } from './revision.ts';
import { sqliteRunner } from './run-steps.ts';
import { lockForServing } from './serve-lock.ts';
import { Damage, FileError, isLocked, type Reading } from './sqlite-errors.ts';
import { exportSqlite, importIntoSqlite } from './transfer.ts';
import { SqliteUsageJournal, SqliteUsageReader } from './usage-journal.ts';
import { Writer } from './writer.ts';
import type { WriterOptions } from './writer-worker.ts';

// A database in memory could not survive a power cut.
const URL_PATTERN = /^sqlite:(?!\/*:memory:)(.+)$/;

export const sqlite: BackendKind = {
  example: 'sqlite:data/animal-store.db',
  at(url, { timeoutMs, now }) {
    const given = URL_PATTERN.exec(url)?.[1];
    if (given === undefined) return undefined;
    const link = resolve(given.replace(/^\/\/(?=\/)/, ''));
    const path = realPath(link);
    return {
      isEmbedded: true,
      name: 'sqlite',
      description: path,
      url: `sqlite:${path}`,
      files: filesOf(path),
      openStore: (onCommit) => openStore({ path, link, timeoutMs }, now, onCommit),
      openForCommand: async (origin) => openForCommand(path, new AuditLog(origin, now)),
      openExport: async () => exportSqlite(path),
      importAll: (records, lastPetId, origin) =>
        importIntoSqlite(path, records, lastPetId, new AuditLog(origin, now)),
      backup: async (file, options) => backupSqlite(path, file, options),
      restore: async (file, options, origin) =>
        restoreSqlite(path, file, options, new AuditLog(origin, now)),
    };
  },
  explain(error) {
    if (error instanceof FileError || error instanceof OperatorError) return error.message;
    return error instanceof SQLiteError
      ? `The data file cannot be used: ${error.message}.`
      : undefined;
  },
};

async function openStore(
  options: WriterOptions,
  now: () => number,
  onCommit?: (creations: number) => void,
): Promise<Store> {
  const { path, link } = options;
  await using opening = new AsyncDisposableStack();
  prepareFolder(path);
  // Before the file is migrated: a service of the previous version may use it.
  opening.use(lockForServing(path));
  const exact = opening.use(openDatabase(path, { safeIntegers: true }));
  // `exact` must not write: see SqliteRevision.
  const corrections = opening.use(openExistingDatabase(path, { safeIntegers: true }));
  const plain = opening.use(openExistingDatabase(path, { safeIntegers: false }));
  const usage = opening.use(openUsageDatabase(path));
  const damage = new Damage(path);
  const writer = opening.use(await Writer.open(options, damage, onCommit));

  const files = new FileIdentity(path, link);
  const revision = new SqliteRevision(exact, damage.reading);
  const log = new AuditLog(SERVICE, now);
  const resources = opening.move();
  /** Like a pet, a change in a file that was deleted or moved must not be confirmed. */
  const inPlace = (database: Database): StepRunner => {
    const { read, commit } = sqliteRunner(database, damage.reading);
    return {
      read,
      async commit(steps) {
        // On a disk that hangs, the commit would hold up all requests: it syncs in this thread.
        await writer.probe();
        const result = await commit(steps);
        revision.expire();
        files.check();
        return result;
      },
    };
  };
  return {
    pets: new SqlitePetStore(exact, damage.reading, writer, now, revision.expire),
    accounts: new SqliteAccountStore(plain, log, inPlace(plain), damage.reading),
    revision,
    journal: new SqliteUsageJournal(usage, writer),
    history: sqliteHistoryWriter(writer),
    staging: new SqlStagingStore(inPlace(plain), log),
    forOperator: (origin) =>
      operatorStore({
        ...{ path, database: plain, log: new AuditLog(origin, now) },
        ...{ openExact: () => corrections, runnerOf: inPlace, reading: damage.reading },
        openUsage: () => new SqliteUsageReader(usage),
        dispose: () => {},
      }),
    isAlive: () => writer.isAlive,
    sizeBytes: () => sizeOf(path) + sizeOf(`${path}-usage`),
    logBytes: () => sizeOf(`${path}-wal`),
    async isReady() {
      files.check();
      damage.check();
      if (!writer.isResponsive) return false;
      return damage.reading(() => canRead(plain) && canWrite(plain, writer.lastFailure));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function openForCommand(path: string, log: AuditLog): OperatorStore {
  const resources = new DisposableStack();
  return operatorStore({
    ...{ path, log },
    database: resources.use(openExistingDatabase(path, { safeIntegers: false })),
    openExact: () => resources.use(openExistingDatabase(path, { safeIntegers: true })),
    openUsage() {
      const usage = openExistingUsageDatabase(path);
      return usage === undefined ? NO_USAGE : new SqliteUsageReader(resources.use(usage));
    },
    dispose: () => resources.dispose(),
  });
}

interface OperatorParts {
  readonly path: string;
  /** Returns integers as numbers. */
  readonly database: Database;
  /** Opens a connection that returns integers as bigints. */
  readonly openExact: () => Database;
  readonly openUsage: () => UsageReader;
  readonly log: AuditLog;
  readonly runnerOf?: (database: Database) => StepRunner;
  readonly reading?: Reading;
  readonly dispose: () => void;
}

function operatorStore(parts: OperatorParts): OperatorStore {
  const { path, database, openExact, openUsage, log, dispose, runnerOf = sqliteRunner } = parts;
  const runner = runnerOf(database);
  return {
    description: path,
    accounts: new SqliteAccountStore(database, log, runner),
    history: new SqliteHistoryReader(database, parts.reading),
    openPets() {
      const exact = openExact();
      return new SqliteOperatorPets(exact, log, { runner: runnerOf(exact) });
    },
    openUsage,
    audit: auditReader(runner),
    staging: new SqlStagingStore(runner, log),
    [Symbol.asyncDispose]: async () => dispose(),
  };
}

/** Reads a page of the file, which `SELECT 1` would not. */
function canRead(database: Database): boolean {
  return database.query('SELECT count(*) FROM sqlite_schema').get() !== null;
}

/** After a failed creation: the next one may not come before the service is ready. */
function canWrite(database: Database, lastFailure = ''): boolean {
  if (isLocked(lastFailure))
    withoutWaiting(database, () => database.run('BEGIN IMMEDIATE; ROLLBACK'));
  return true;
}
