import { type Database, SQLiteError } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Backend, BackendOptions, Store } from '../../domain/backend.ts';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import { type Origin, SERVICE } from '../../domain/operator/audit.ts';
import { historyCutoffs } from '../../domain/operator/usage-history.ts';
import type { Usage } from '../../domain/rate-limit.ts';
import type { SavedUsage, UsageJournal } from '../../domain/usage-journal.ts';
import { NO_USAGE } from '../../domain/usage-journal.ts';
import { auditLog } from '../sql/audit.ts';
import { operatorStore } from '../sql/operator-store.ts';
import { exportStore, importStore } from '../sql/transfer.ts';
import { backupSqlite, restoreSqlite } from './backup.ts';
import { fileCheck, lockForServing, realPath } from './data-file.ts';
import {
  openDatabase,
  openExistingDatabase,
  openExistingUsageDatabase,
  openUsageDatabase,
  prepareFolder,
  withoutWaiting,
} from './database.ts';
import { readsOfOneTurn, sqliteKeyFinder, sqlitePetStore, sqliteRevision } from './requests.ts';
import { sqliteSql } from './sql.ts';
import {
  Damage,
  explainFailure,
  FileError,
  IF_COUNTS_ARE_DAMAGED,
  isLocked,
  isUnavailable,
} from './sqlite-errors.ts';
import { Writer } from './writer.ts';
import type { WriterOptions } from './writer-worker.ts';

// A database in memory could not survive a power cut.
const URL_PATTERN = /^sqlite:(?!\/{0,}:memory:)(.+)$/;

export function sqliteAt(url: string, { timeoutMs, now }: BackendOptions): Backend | undefined {
  const given = URL_PATTERN.exec(url)?.[1];
  if (given === undefined) return undefined;
  const link = resolve(given.replace(/^\/\/(?=\/)/, ''));
  const path = realPath(link);
  return {
    isEmbedded: true,
    name: 'sqlite',
    description: path,
    openStore: (onCommit) => openStore({ path, link, timeoutMs }, now, onCommit),
    openForCommand: async (origin) => openForCommand(path, origin, now),
    openExport: async () => exportStore(sqliteSql(openExistingDatabase(path))),
    async importAll(records, lastIds, origin) {
      prepareFolder(path);
      // Nothing may serve the file meanwhile.
      using _lock = lockForServing(path);
      await using database = sqliteSql(openDatabase(path));
      await importStore(database, records, lastIds, auditLog(database, origin, now));
    },
    backup: (file, options) => backupSqlite(path, file, options),
    restore: (file, options, origin) => restoreSqlite(path, file, options, origin, now),
  };
}

export function explainSqliteError(error: unknown): string | undefined {
  if (error instanceof FileError || error instanceof OperatorError) return error.message;
  return error instanceof SQLiteError
    ? `The data file cannot be used: ${error.message}.`
    : undefined;
}

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
  // For requests. It must not write: see sqliteRevision.
  const reader = opening.use(openDatabase(path));
  const usage = savedUsage(opening.use(openUsageDatabase(path)));
  const damage = new Damage(path);
  const { reading } = damage;
  const writer = opening.use(await Writer.open(options, damage, onCommit));
  const checkFiles = fileCheck(path, link);
  const turn = opening.use(readsOfOneTurn(reader, reading));
  const revision = sqliteRevision(reader, reading);
  const database = opening.use(
    sqliteSql(openExistingDatabase(path), {
      reader,
      reading,
      // On a disk that hangs, the commit would hold up all requests: it syncs in this thread.
      beforeChange: () => writer.probe(),
      afterCommit() {
        revision.expire();
        turn.end();
        // Like a pet, a change in a file that was deleted or moved must not be confirmed.
        checkFiles();
      },
    }),
  );
  const forOperator = (origin: Origin) =>
    operatorStore({ database, origin, now, openUsage: () => usage });
  const { accounts, environment } = forOperator(SERVICE);
  const resources = opening.move();
  return {
    keys: sqliteKeyFinder(reader, turn.reading),
    pets: sqlitePetStore(reader, turn.reading, writer, now, revision.expire),
    accounts,
    revision,
    journal: { ...usage, save: (changes) => writer.write({ usage: changes }) },
    history: {
      add: (periods) => writer.write({ periods }),
      compact: (nowMs) => writer.write({ cutoffs: historyCutoffs(nowMs) }),
    },
    environment,
    forOperator,
    isAlive: () => writer.isAlive,
    sizeBytes: () => sizeOf(path) + sizeOf(`${path}-usage`),
    logBytes: () => sizeOf(`${path}-wal`),
    async isReady() {
      checkFiles();
      damage.check();
      if (!writer.isResponsive) return false;
      turn.end();
      return reading(() => canRead(reader) && canWrite(reader, writer.lastFailure));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function openForCommand(path: string, origin: Origin, now: () => number) {
  const resources = new AsyncDisposableStack();
  const database = resources.use(sqliteSql(openExistingDatabase(path)));
  const openUsage = () => {
    const usage = openExistingUsageDatabase(path);
    return usage === undefined ? NO_USAGE : savedUsage(resources.use(usage));
  };
  return {
    ...operatorStore({ database, origin, now, openUsage }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
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

/** The counts that the service last saved, for the service itself and for commands. */
export function savedUsage(database: Database): SavedUsage & Omit<UsageJournal, 'save'> {
  /** Names the counts file: an operator who took it for the data file would restore a backup. */
  function run<Row>(query: string, ...values: (string | number)[]): Row[] {
    try {
      return database.query<Row, (string | number)[]>(query).all(...values);
    } catch (error) {
      if (!(error instanceof SQLiteError && isUnavailable(error.code ?? ''))) throw error;
      const action = `read the counts file ${database.filename}`;
      const text = explainFailure(action, error, IF_COUNTS_ARE_DAMAGED);
      throw new StoreUnavailableError(new OperatorError(text));
    }
  }

  function findUsage(subject: string): Usage | undefined {
    const query = 'SELECT counts FROM usage WHERE subject = ?';
    const [row] = run<{ counts: string }>(query, subject);
    return row && JSON.parse(row.counts);
  }

  return {
    findUsage,
    getUsage: async (subject) => findUsage(subject),
    loadPenalties() {
      const query = 'SELECT key_id AS keyId, penalty FROM penalties';
      const rows = run<{ keyId: number; penalty: string }>(query);
      return rows.map(({ keyId, penalty }) => [keyId, JSON.parse(penalty)]);
    },
    async getPenalty(_, keyId) {
      const query = 'SELECT penalty FROM penalties WHERE key_id = ?';
      const [row] = run<{ penalty: string }>(query, keyId);
      return row && JSON.parse(row.penalty);
    },
    async removeUsage(subject, keyIds) {
      run('DELETE FROM usage WHERE subject = ?', subject);
      for (const keyId of keyIds) run('DELETE FROM penalties WHERE key_id = ?', keyId);
    },
  };
}
