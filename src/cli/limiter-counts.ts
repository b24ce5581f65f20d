import type { SavedCounts } from '#domain/counts-journal.ts';
import { connectRedis } from '#limiters/redis/connection.ts';
import { RedisCounts } from '#limiters/redis/counts.ts';
import { whyRedisFailed } from '#limiters/redis/redis-url.ts';
import type { Run } from './cli.ts';

/** Redis serves a batch without a pause, so other clients never wait for more than this many reads. */
const BATCH = 500;

/**
 * Reads or removes the counts of the limiter for each item. If that fails, it returns a note with the reason instead
 * of throwing, so that commands which can do without the counts still work while Redis is away.
 */
export async function withCounts<Item, T>(
  { cli, store }: Run,
  items: readonly Item[],
  use: (item: Item, counts: SavedCounts) => Promise<T>,
) {
  const { REDIS_URL } = cli.config;
  const { id } = await store.environment.read();
  try {
    await using resources = new AsyncDisposableStack();
    const link = REDIS_URL && (await connectRedis(REDIS_URL));
    if (link) resources.defer(() => link.close());
    const counts = link ? new RedisCounts(link, id) : store.openCounts?.();
    if (counts === undefined) {
      throw new Error(
        'Without REDIS_URL each instance counts in its own memory, which no command can read.',
      );
    }
    const known: T[] = [];
    for (let start = 0; start < items.length; start += BATCH) {
      const batch = items.slice(start, start + BATCH);
      known.push(...(await Promise.all(batch.map((item) => use(item, counts)))));
    }
    return { known };
  } catch (error) {
    const { cause = error } = error as Error;
    const reason = REDIS_URL
      ? `${whyRedisFailed(REDIS_URL, error)}. Check REDIS_URL.`
      : (cause as Error).message;
    return { note: `Counts and bans are not known. ${reason}` };
  }
}
