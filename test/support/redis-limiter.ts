import { KeyNames } from '../../src/limiters/redis/key-names.ts';
import { RedisLimiter, type RedisLimiterOptions } from '../../src/limiters/redis/limiter.ts';

type Options = Partial<RedisLimiterOptions> & Pick<RedisLimiterOptions, 'url'>;

const STORE_ID = '00000001';
/** The names of a limiter without another `storeId`. */
export const TEST_NAMES = new KeyNames(STORE_ID);

/** A limiter that records when Redis goes away and comes back. */
export async function openRedisLimiter(
  options: Options,
): Promise<{ limiter: RedisLimiter; events: string[] } & AsyncDisposable> {
  const events: string[] = [];
  const limiter = await RedisLimiter.open({
    storeId: STORE_ID,
    now: Date.now,
    instances: 1,
    onAway: () => events.push('away'),
    onBack: () => events.push('back'),
    ...options,
  });
  return { limiter, events, [Symbol.asyncDispose]: () => limiter[Symbol.asyncDispose]() };
}
