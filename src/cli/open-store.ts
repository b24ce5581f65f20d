import { readConfig } from '../config.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import { connectRedis, whyRedisFailed } from '../limiters/redis/connection.ts';
import { KeyNames } from '../limiters/redis/key-names.ts';
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
  const names = new KeyNames(await store.staging.readStoreId());
  try {
    const link = await connectRedis(redisUrl);
    return {
      usage: new RedisUsageReader({ link, names }),
      [Symbol.asyncDispose]: async () => link.close(),
    };
  } catch (error) {
    throw new OperatorError(`${await whyRedisFailed(redisUrl, error)}. Check REDIS_URL.`);
  }
}
