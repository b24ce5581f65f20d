import type { UsageReader } from '../../src/domain/usage-journal.ts';
import { penaltyName, usageName } from '../../src/limiters/redis/counts.ts';
import { RedisLimiter, type RedisLimiterOptions } from '../../src/limiters/redis/limiter.ts';
import { type ClockedLimiter, withClock } from './callers.ts';

type Options = Partial<RedisLimiterOptions> &
  Pick<RedisLimiterOptions, 'url'> & { readonly now?: () => number };

export const STORE_ID = '00000001';
/** The names of a limiter without another `storeId`. */
export const TEST_NAMES = {
  usage: (subject: string) => usageName(STORE_ID, subject),
  penalty: (subject: string, keyId: number) => penaltyName(STORE_ID, subject, keyId),
};

/** A limiter that records when Redis goes away and comes back. */
export async function openRedisLimiter(
  options: Options,
): Promise<{ limiter: ClockedLimiter & UsageReader; events: string[] } & AsyncDisposable> {
  const events: string[] = [];
  const limiter = await RedisLimiter.open({
    storeId: STORE_ID,
    instances: 1,
    onAway: () => events.push('away'),
    onBack: () => events.push('back'),
    ...options,
  });
  return {
    limiter: {
      ...withClock(limiter, options.now ?? Date.now),
      getUsage: (subject) => limiter.getUsage(subject),
      getPenalty: (subject, keyId) => limiter.getPenalty(subject, keyId),
    },
    events,
    [Symbol.asyncDispose]: () => limiter[Symbol.asyncDispose](),
  };
}
