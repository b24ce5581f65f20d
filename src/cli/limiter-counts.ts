import type { OperatorStore } from '../domain/backend.ts';
import type { SavedCounts } from '../domain/counts-journal.ts';
import { OperatorError } from '../domain/error.ts';
import { connectRedis } from '../limiters/redis/connection.ts';
import { RedisCounts } from '../limiters/redis/counts.ts';
import { whyRedisFailed } from '../limiters/redis/redis-url.ts';
import type { Cli } from './cli.ts';

/**
 * Reads or removes the counts of the limiter for each item, or returns a note that says why it could
 * not: commands that can do without them work while Redis is away.
 */
export async function withCounts<Item, T>(
  cli: Cli,
  store: OperatorStore,
  items: readonly Item[],
  use: (item: Item, counts: SavedCounts) => Promise<T>,
): Promise<{ readonly known?: readonly T[]; readonly note?: string }> {
  try {
    await using resources = new AsyncDisposableStack();
    const counts = await openCounts(cli, store, resources);
    return { known: await Array.fromAsync(items, (item) => use(item, counts)) };
  } catch (error) {
    const { cause = error } = error as Error;
    return { note: `Counts and bans are not known. ${(cause as Error).message}` };
  }
}

async function openCounts(
  cli: Cli,
  store: OperatorStore,
  resources: AsyncDisposableStack,
): Promise<SavedCounts> {
  const { REDIS_URL } = cli.config;
  if (REDIS_URL === undefined) {
    const counts = store.openCounts();
    if (counts !== undefined) return counts;
    throw new OperatorError(
      'Without REDIS_URL each instance counts in its own memory, which no command can read.',
    );
  }
  const storeId = await store.environment.readStoreId();
  try {
    const link = await connectRedis(REDIS_URL);
    resources.defer(() => link.close());
    return new RedisCounts(link, storeId);
  } catch (error) {
    throw new OperatorError(`${whyRedisFailed(REDIS_URL, error)}. Check REDIS_URL.`);
  }
}
