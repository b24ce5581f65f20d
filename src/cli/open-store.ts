import { readConfig } from '../config.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import { connectRedis, whyRedisFailed } from '../limiters/redis/connection.ts';
import { RedisUsageReader } from '../limiters/redis/usage-reader.ts';
import { currentOrigin } from './origin.ts';

/** Opens accounts and keys for a command. Services may run at the same time. */
export function openForCommand(): Promise<OperatorStore> {
  return readConfig().database.openForCommand(currentOrigin());
}

/**
 * Opens the counts of the limiter. Undefined where each instance counts in its own memory. Separate,
 * so that commands that need no counts work while Redis is away.
 */
export async function openUsage(
  store: OperatorStore,
): Promise<AsyncDisposable & { readonly usage: UsageReader | undefined }> {
  const { redisUrl } = readConfig();
  if (redisUrl === undefined) {
    return { usage: store.openUsage(), [Symbol.asyncDispose]: async () => {} };
  }
  try {
    const client = await connectRedis(redisUrl);
    return {
      usage: new RedisUsageReader(client),
      [Symbol.asyncDispose]: async () => client.close(),
    };
  } catch (error) {
    throw new OperatorError(`${await whyRedisFailed(redisUrl, error)}. Check REDIS_URL.`);
  }
}
