import { SQLiteError } from 'bun:sqlite';
import { readConfig } from '../config.ts';
import type { AccountStore } from '../domain/account-store.ts';
import { OperatorError } from '../domain/error.ts';
import { SqliteAccountStore } from '../sqlite/account-store.ts';
import { openDatabase } from '../sqlite/database.ts';

/** Lets a command work on accounts and keys, beside a running service if there is one. */
export async function withAccounts<T>(work: (accounts: AccountStore) => Promise<T>): Promise<T> {
  const { databasePath } = readConfig();
  const database = openDatabase(databasePath, { safeIntegers: false });
  try {
    return await work(new SqliteAccountStore(database));
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    throw new OperatorError(
      `Nothing was changed: the data file ${databasePath} cannot be written: ${error.message}.`,
    );
  } finally {
    database.close();
  }
}
