import type { Database } from 'bun:sqlite';
import type { KeyDirectory } from '../domain/api-key.ts';
import type { Revision } from '../domain/revision.ts';
import type { Store } from '../domain/store.ts';
import type { UsageJournal } from '../domain/usage-journal.ts';
import { SqliteAccountStore } from './account-store.ts';
import { openDatabase, reading } from './database.ts';
import { SqliteKnownKeys } from './known-keys.ts';
import { SqlitePetStore } from './pet-store.ts';
import { SqliteRevision } from './revision.ts';
import { lockForServing } from './serve-lock.ts';
import { SqliteUsageJournal } from './usage-journal.ts';
import { Writer } from './writer.ts';

export interface SqliteStore extends Store {
  readonly journal: UsageJournal;
  /** Finds the keys of requests, faster than `accounts` does. */
  readonly keys: KeyDirectory;
  readonly revision: Revision;
}

/** Throws `OperatorError` when the file cannot be used, or is being served already. */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  await using opening = new AsyncDisposableStack();
  const exact = openDatabase(path, { safeIntegers: true });
  opening.adopt(exact, (database) => database.close());
  opening.use(lockForServing(path));
  const plain = openDatabase(path, { safeIntegers: false });
  opening.adopt(plain, (database) => database.close());
  const writer = opening.use(await Writer.open(path));

  const revision = new SqliteRevision(exact);
  const accounts = new SqliteAccountStore(plain, revision.expire);
  const resources = opening.move();
  return {
    pets: new SqlitePetStore(exact, writer),
    accounts,
    keys: new SqliteKnownKeys(accounts, revision),
    revision,
    journal: new SqliteUsageJournal(plain, writer),
    isAlive: () => writer.isAlive,
    isReady: async () => reading(() => writer.isAlive && canRead(plain)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Reads a page of the file, which `SELECT 1` would not. */
function canRead(database: Database): boolean {
  return database.query('SELECT count(*) FROM sqlite_schema').get() !== null;
}
