import { readConfig } from '../config.ts';
import type { AccountStore } from '../domain/account-store.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import { openPostgresStore } from '../postgres/store.ts';
import { connectRedis } from '../redis/connection.ts';
import { RedisUsageReader } from '../redis/usage-reader.ts';
import { SqliteAccountStore } from '../sqlite/account-store.ts';
import { openDatabase } from '../sqlite/database.ts';
import { SqliteUsageReader } from '../sqlite/usage-journal.ts';

/** Counts that live in the memory of other processes cannot be looked at from here. */
const NOTHING_COUNTED: UsageReader = {
  getUsage: async () => undefined,
  getPenalty: async () => undefined,
};

/** Lets a command work on accounts and keys, beside running services if there are any. */
export async function withAccounts<T>(
  work: (accounts: AccountStore, counted: UsageReader) => Promise<T>,
): Promise<T> {
  const { database, redisUrl } = readConfig();
  await using resources = new AsyncDisposableStack();
  let counted = NOTHING_COUNTED;
  let accounts: AccountStore;
  if (database.kind === 'sqlite') {
    const file = openDatabase(database.path, { safeIntegers: false });
    resources.defer(() => file.close());
    accounts = new SqliteAccountStore(file);
    counted = new SqliteUsageReader(file);
  } else {
    ({ accounts } = resources.use(await openPostgresStore(database.url, 1)));
  }
  if (redisUrl !== undefined) {
    const client = await connectRedis(redisUrl);
    resources.defer(() => client.close());
    counted = new RedisUsageReader(client);
  }
  return await work(accounts, counted);
}
