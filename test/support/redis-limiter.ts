import { RedisLimiter, type RedisLimiterOptions } from '../../src/limiters/redis/limiter.ts';

type Options = Partial<RedisLimiterOptions> & Pick<RedisLimiterOptions, 'url'>;

/** A limiter that records when Redis goes away and comes back. */
export async function openRedisLimiter(
  options: Options,
): Promise<{ limiter: RedisLimiter; events: string[] } & AsyncDisposable> {
  const events: string[] = [];
  const limiter = await RedisLimiter.open({
    now: Date.now,
    instances: 1,
    onAway: () => events.push('away'),
    onBack: () => events.push('back'),
    ...options,
  });
  return { limiter, events, [Symbol.asyncDispose]: () => limiter[Symbol.asyncDispose]() };
}
