import { readConfig } from '../config.ts';
import type { AccountStore } from '../domain/account-store.ts';
import { SqliteAccountStore } from '../sqlite/account-store.ts';
import { openDatabase } from '../sqlite/database.ts';

/** Lets a command work on accounts and keys, beside a running service if there is one. */
export async function withAccounts<T>(work: (accounts: AccountStore) => Promise<T>): Promise<T> {
  const database = openDatabase(readConfig().databasePath, { safeIntegers: false });
  try {
    return await work(new SqliteAccountStore(database));
  } finally {
    database.close();
  }
}
