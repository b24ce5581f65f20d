import { Database } from 'bun:sqlite';
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Backend, BackendOptions, LastBackup, Store } from '#domain/backend.ts';
import { NOTHING_SAVED } from '#domain/counts-journal.ts';
import { MINUTE_MS } from '#domain/durations.ts';
import { type Origin, SERVICE } from '#domain/operator/audit.ts';
import { operatorStore } from '#stores/sql/operator-store.ts';
import { importStore } from '#stores/sql/transfer.ts';
import { sampled } from '#timing/sampled.ts';
import { backupSqlite, restoreSqlite } from './backup.ts';
import { countsFile } from './counts-file.ts';
import { fileCheck, filesOf, identityOf, lockForServing, readPage, realPath } from './data-file.ts';
import {
  COUNTS,
  openDatabase,
  openExistingDatabase,
  prepareFolder,
  withoutWaiting,
} from './database.ts';
import { SharedReads, sqliteKeyFinder, sqlitePetStore, sqliteRevision } from './requests.ts';
import { sqliteSql } from './sql.ts';
import { Damage, isLocked, queryRunner } from './sqlite-errors.ts';
import { Writer } from './writer.ts';
import type { WriterOptions } from './writer-worker.ts';

// A database in memory is refused, because it would not survive a power cut.
const URL_PATTERN = /^sqlite:(?!\/{0,}:memory:)./;

export function isSqliteUrl(text: string): boolean {
  return URL_PATTERN.test(text);
}

export function sqliteAt(options: BackendOptions): Backend {
  const { url } = options;
  const link = resolve(url.replace(/^sqlite:(\/\/(?=\/))?/, ''));
  const path = realPath(link);
  return {
    name: 'sqlite',
    description: path,
    openStore: (onCommit) => openStore({ ...options, path, link }, onCommit),
    openForCommand: async () => openForCommand(path, options),
    async importAll(batches, lastIds) {
      prepareFolder(path);
      const isNew = !existsSync(path);
      // No service may use the file meanwhile.
      using _lock = lockForServing(path);
      try {
        await using database = sqliteSql(openDatabase(path));
        await importStore(database, batches, lastIds, options);
      } catch (error) {
        // An import that is refused must not leave a new store behind.
        if (isNew) for (const file of filesOf(path)) rmSync(file, { force: true });
        throw error;
      }
    },
    backups: {
      kind: 'file',
      backup: backupSqlite(path, options),
      restore: restoreSqlite(path, options),
    },
  };
}

async function openStore(
  options: BackendOptions & WriterOptions,
  onCommit?: (creations: number) => void,
): Promise<Store> {
  const { path, link, timeoutMs, now, elapsed } = options;
  await using opening = new AsyncDisposableStack();
  prepareFolder(path);
  // Locked before the file is migrated, because a service of the previous version may be using it.
  opening.use(lockForServing(path));
  const damage = new Damage(queryRunner(path));
  const { runQuery } = damage;
  // The connection for requests. It must not write: see `sqliteRevision`.
  const reader = opening.use(openDatabase(path));
  const counts = countsFile(opening.use(openDatabase(path, COUNTS)));
  const reads = new SharedReads(reader, runQuery);
  opening.defer(() => reads.end());
  const revision = sqliteRevision(reader, runQuery);
  const onWritten = () => {
    revision.expire();
    reads.end();
  };
  const writer = opening.use(
    await Writer.open({ path, link, timeoutMs }, { damage, onWritten, onCommit }),
  );
  const check = fileCheck(reader, link);
  const checkFiles = () => {
    reads.end();
    runQuery(check);
  };
  const database = opening.use(
    sqliteSql(openExistingDatabase(path), {
      reader,
      runQuery,
      // This commit syncs in the main thread. On a disk that hangs, it would block all requests.
      beforeChange: () => writer.writeInTime('probe'),
      afterCommit() {
        onWritten();
        // Like a pet, a change in a file that was deleted, moved or cut must not be confirmed.
        checkFiles();
      },
    }),
  );
  opening.defer(keepingLog(path, damage, checkFiles));
  const forOperator = (origin: Origin) => operatorStore(database, { origin, now });
  const { accounts, environment, history } = forOperator(SERVICE);
  const resources = opening.move();
  return {
    keys: sqliteKeyFinder(reader, reads),
    pets: sqlitePetStore(reader, reads, writer, now),
    accounts,
    revision: { ...revision, expire: onWritten },
    journal: { ...counts, save: (changes) => writer.write('saveCounts', changes) },
    history: {
      ...history,
      add: (periods) => writer.write('addPeriods', periods),
      compact: (kind, beforeMs) => writer.write('compact', { kind, beforeMs }),
    },
    environment,
    forOperator,
    isAlive: () => writer.isAlive,
    sizeBytes: () => Bun.file(path).size + Bun.file(path + COUNTS.suffix).size,
    logBytes: () => Bun.file(`${path}-wal`).size,
    lastBackup: sampled(
      async () => (await database.all<LastBackup>(LAST_BACKUP))[0] ?? { atMs: 0, bytes: 0 },
      MINUTE_MS,
      elapsed,
    ),
    async isReady() {
      checkFiles();
      damage.check();
      if (writer.isResponsive) runQuery(() => requireUsable(reader, writer.lastFailure));
      return writer.isResponsive;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Uses the index `audit_of_backups`. */
const LAST_BACKUP = `SELECT created_at AS "atMs", new_value ->> 'bytes' AS bytes FROM audit
  WHERE action = 'store.backup' ORDER BY id DESC LIMIT 1`;

/** Throws if the file cannot be read, or if the last creation found it locked and it still is. */
function requireUsable(reader: Database, lastFailure: string | undefined): void {
  readPage(reader);
  // A service that is not ready gets no creations, so the next creation cannot show that the lock is gone.
  if (!isLocked(lastFailure)) return;
  withoutWaiting(reader, () => reader.run('BEGIN IMMEDIATE; ROLLBACK'));
}

/** This refers to the connection, because the garbage collector closes a connection that nothing refers to. */
let openToTheEnd: Database | undefined;

/**
 * Returns what to do before the connections of a service are closed. SQLite moves the log into the data file
 * when the last connection is closed. If another program has cut the log, or uses another index (`-shm`) for
 * it, that would write a file without some commits, or with gaps. A connection that cannot write keeps SQLite
 * from that until the process ends.
 */
function keepingLog(path: string, damage: Damage, checkFiles: () => void): () => void {
  const index = `${path}-shm`;
  const opened = identityOf(index);
  return () => {
    const found = identityOf(index);
    try {
      // The log may have been cut since the last check. Other faults do not matter: if the log was deleted, the
      // last checkpoint saves the pets.
      checkFiles();
    } catch {}
    if (!((found && found !== opened) || damage.found)) return;
    try {
      openToTheEnd = new Database(path, { readonly: true });
      readPage(openToTheEnd);
    } catch {
      // The connection has the lock that it needs, even if the page is damaged.
    }
  };
}

function openForCommand(path: string, options: BackendOptions) {
  const resources = new AsyncDisposableStack();
  const file = openExistingDatabase(path);
  // A command may run for minutes, in which the file may be moved or its log cut.
  const afterCommit = fileCheck(file, path);
  const database = resources.use(sqliteSql(file, { timeoutMs: options.timeoutMs, afterCommit }));
  return {
    ...operatorStore(database, options),
    openCounts() {
      if (Bun.file(path + COUNTS.suffix).size === 0) return NOTHING_SAVED;
      return countsFile(resources.use(openExistingDatabase(path, COUNTS)));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
