import type { Caller, Decision } from '../../src/domain/rate-limit.ts';
import { RedisLimiter, type RedisLimiterOptions } from '../../src/redis/limiter.ts';

type Options = Partial<RedisLimiterOptions> & Pick<RedisLimiterOptions, 'url'>;

/** A limiter that notes when Redis goes away and comes back. */
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

let subjects = 1_000_000;

/** A caller of a new account. */
export function newCaller(
  perMinute: number,
  perDay: number,
): Caller & { key: NonNullable<Caller['key']> } {
  const id = ++subjects;
  return { subject: `account:${id}`, limits: { perMinute, perDay }, key: { id, unbannedAtMs: 0 } };
}

export function admitted(decisions: readonly Decision[]): number {
  return decisions.filter(({ refusedBy }) => refusedBy === undefined).length;
}

export function takeAll(limiter: RedisLimiter, caller: Caller, count: number): Promise<Decision[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.take(caller)));
}
