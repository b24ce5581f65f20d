// The store in one file. The service reads it in the main thread, and one writer thread commits. Only
// src/stores/backends.ts opens it. No other room may open the file: closing it would drop SQLite's locks.

import { Database } from 'bun:sqlite';
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Backend, BackendOptions, Store } from '../../domain/backend.ts';
import { NOTHING_SAVED } from '../../domain/counts-journal.ts';
import { type Origin, SERVICE } from '../../domain/operator/audit.ts';
import { auditLog } from '../sql/audit.ts';
import { operatorStore } from '../sql/operator-store.ts';
import { importStore } from '../sql/transfer.ts';
import { backupSqlite, restoreSqlite } from './backup.ts';
import { fileCheck, filesOf, identityOf, lockForServing, realPath } from './data-file.ts';
import {
  openCountsDatabase,
  openDatabase,
  openExistingCountsDatabase,
  openExistingDatabase,
  prepareFolder,
  withoutWaiting,
} from './database.ts';
import { readsOfOneTurn, sqliteKeyFinder, sqlitePetStore, sqliteRevision } from './requests.ts';
import { savedCounts } from './saved-counts.ts';
import { sqliteSql } from './sql.ts';
import { isLocked, watchDamage } from './sqlite-errors.ts';
import { openWriter } from './writer.ts';
import type { WriterOptions } from './writer-worker.ts';

// A database in memory could not survive a power cut.
const URL_PATTERN = /^sqlite:(?!\/{0,}:memory:)./;

export function isSqliteUrl(text: string): boolean {
  return URL_PATTERN.test(text);
}

export function sqliteAt({ url, timeoutMs, now }: BackendOptions): Backend {
  const link = resolve(url.replace(/^sqlite:(\/\/(?=\/))?/, ''));
  const path = realPath(link);
  return {
    name: 'sqlite',
    description: path,
    openStore: (onCommit) => openStore({ path, link, timeoutMs }, now, onCommit),
    openForCommand: async (origin) => openForCommand(path, timeoutMs, origin, now),
    async importAll(records, lastIds, origin) {
      prepareFolder(path);
      const isNew = !existsSync(path);
      // Nothing may serve the file meanwhile.
      using _lock = lockForServing(path);
      try {
        await using database = sqliteSql(openDatabase(path));
        await importStore(database, records, lastIds, auditLog(database, origin, now));
      } catch (error) {
        // An import that is refused must not leave a new store.
        if (isNew) for (const file of filesOf(path)) rmSync(file, { force: true });
        throw error;
      }
    },
    backup: (file, options) => backupSqlite(path, file, options),
    restore: (file, options, origin) => restoreSqlite(path, file, options, origin, now),
  };
}

/** The collector closes a connection that nothing refers to. */
let openToTheEnd: Database | undefined;

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
  const damage = watchDamage(path);
  // For requests. It must not write: see sqliteRevision.
  const reader = opening.use(openDatabase(path));
  const counts = savedCounts(opening.use(openCountsDatabase(path)));
  const { reading } = damage;
  const turn = opening.use(readsOfOneTurn(reader, reading));
  const revision = sqliteRevision(reader, reading);
  const onWritten = () => {
    revision.expire();
    turn.end();
  };
  const writer = opening.use(await openWriter(options, damage, onWritten, onCommit));
  const check = fileCheck(reader, link);
  const checkFiles = () => {
    turn.end();
    reading(check);
  };
  const index = `${path}-shm`;
  const opened = identityOf(index);
  const database = opening.use(
    sqliteSql(openExistingDatabase(path), {
      reader,
      reading,
      // On a disk that hangs, the commit would hold up all requests: it syncs in this thread.
      beforeChange: writer.probe,
      afterCommit() {
        onWritten();
        // Like a pet, a change in a file that was deleted, moved or cut must not be confirmed.
        checkFiles();
      },
    }),
  );
  opening.defer(() => {
    // Another program uses another index, or has cut the log. With ours, SQLite would move the log to the
    // file without its commits, or with gaps. A connection that cannot write keeps SQLite from that until
    // the process ends.
    const found = identityOf(index);
    try {
      // Nobody may have looked since the log was cut. Other faults do not matter: with a deleted log, the
      // pets are saved by the last checkpoint.
      checkFiles();
    } catch {}
    if (!((found && found !== opened) || damage.isFound())) return;
    try {
      openToTheEnd = new Database(path, { readonly: true });
      readPage(openToTheEnd);
    } catch {
      // It has the lock that it needs, even if the page is damaged.
    }
  });
  const forOperator = (origin: Origin) => operatorStore(database, origin, now, () => counts);
  const { accounts, environment, history } = forOperator(SERVICE);
  const resources = opening.move();
  return {
    keys: sqliteKeyFinder(reader, turn.reading),
    pets: sqlitePetStore(reader, turn.reading, writer, now),
    accounts,
    revision: { ...revision, expire: onWritten },
    journal: { ...counts, save: writer.saveCounts },
    history: { ...history, add: writer.addPeriods, compact: writer.compact },
    environment,
    forOperator,
    isAlive: writer.isAlive,
    sizeBytes: () => Bun.file(path).size + Bun.file(`${path}-usage`).size,
    logBytes: () => Bun.file(`${path}-wal`).size,
    async isReady() {
      checkFiles();
      damage.check();
      if (!writer.isResponsive()) return false;
      reading(() => {
        readPage(reader);
        // The next creation may not come before the service is ready.
        if (!isLocked(writer.lastFailure())) return;
        withoutWaiting(reader, () => reader.run('BEGIN IMMEDIATE; ROLLBACK'));
      });
      return true;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function openForCommand(path: string, timeoutMs: number, origin: Origin, now: () => number) {
  const resources = new AsyncDisposableStack();
  const file = openExistingDatabase(path);
  // A command may run for minutes.
  const afterCommit = fileCheck(file, path);
  const database = resources.use(sqliteSql(file, { timeoutMs, afterCommit }));
  const openCounts = () => {
    const counts = openExistingCountsDatabase(path);
    return counts === undefined ? NOTHING_SAVED : savedCounts(resources.use(counts));
  };
  return {
    ...operatorStore(database, origin, now, openCounts),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** `SELECT 1` would not read the file. */
function readPage(database: Database): void {
  database.query('SELECT count(*) FROM sqlite_schema').get();
}
