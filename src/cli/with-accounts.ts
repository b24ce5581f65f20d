import { readConfig } from '../config.ts';
import type { AccountStore } from '../domain/account-store.ts';
import { OperatorError } from '../domain/error.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import { openPostgresStore } from '../postgres/store.ts';
import { connectRedis } from '../redis/connection.ts';
import { RedisUsageReader } from '../redis/usage-reader.ts';
import { SqliteAccountStore } from '../sqlite/account-store.ts';
import { openDatabase } from '../sqlite/database.ts';
import { SqliteUsageReader } from '../sqlite/usage-journal.ts';

interface Desk {
  readonly accounts: AccountStore;
  /**
   * Opened by the commands that need it, so that the others do without Redis. Undefined where each
   * instance counts in its own memory, which cannot be seen from here.
   */
  openUsage(): Promise<UsageReader | undefined>;
}

/** Lets a command work on accounts and keys, beside running services if there are any. */
export async function withAccounts<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
  const { database, redisUrl } = readConfig();
  await using resources = new AsyncDisposableStack();

  async function openUsage(local: UsageReader | undefined): Promise<UsageReader | undefined> {
    if (redisUrl === undefined) return local;
    try {
      const client = await connectRedis(redisUrl);
      resources.defer(() => client.close());
      return new RedisUsageReader(client);
    } catch (error) {
      const { message } = error as Error;
      throw new OperatorError(`Cannot reach the Redis server of REDIS_URL: ${message}.`);
    }
  }

  if (database.kind === 'postgres') {
    const { accounts } = resources.use(await openPostgresStore(database.url, 1));
    return await work({ accounts, openUsage: () => openUsage(undefined) });
  }
  const file = openDatabase(database.path, { safeIntegers: false });
  resources.defer(() => file.close());
  const counted = new SqliteUsageReader(file);
  const accounts = new SqliteAccountStore(file);
  return await work({ accounts, openUsage: () => openUsage(counted) });
}
