import { afterAll, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import fc from 'fast-check';
import { penaltyAfterUnban } from '../../src/domain/ban.ts';
import type { Decision, Quota } from '../../src/domain/rate-limit.ts';
import { NO_JOURNAL } from '../../src/domain/usage-journal.ts';
import { MemoryLimiter } from '../../src/limiters/memory.ts';
import { connectRedis } from '../../src/limiters/redis/connection.ts';
import { RedisCounts } from '../../src/limiters/redis/counts.ts';
import type { RedisLimiterOptions } from '../../src/limiters/redis/limiter.ts';
import { admitted, newCaller, takeAll, withoutMinuteUsed } from '../support/callers.ts';
import { Clock } from '../support/clock.ts';
import { failLoudly } from '../support/fail-loudly.ts';
import { FlakyProxy } from '../support/flaky-proxy.ts';
import { TestRedis } from '../support/redis.ts';
import { openRedisLimiter, STORE_ID, TEST_NAMES } from '../support/redis-limiter.ts';
import { limiterSuite } from './limiter-suite.ts';

/** `TRIALS=100 npx bun test test/limiters` compares the two limiters for longer. */
const TRIALS = Number(Bun.env['TRIALS'] ?? 10);

let redis: TestRedis;
beforeAll(async () => {
  redis = await TestRedis.start();
});
beforeEach(() => redis.startIfStopped());
afterAll(() => redis[Symbol.asyncDispose]());

function openRedis(options: Partial<RedisLimiterOptions> = {}) {
  return openRedisLimiter({ url: redis.url, onAway: failLoudly, ...options });
}

async function openFour(resources: AsyncDisposableStack, options?: Partial<RedisLimiterOptions>) {
  const opened = await Promise.all([1, 2, 3, 4].map(() => openRedis(options)));
  return opened.map((instance) => resources.use(instance).limiter);
}

limiterSuite('the limiter in Redis', async (now) => {
  await redis.send('FLUSHALL');
  return openRedis({ redisNow: now });
});

test('the limiter in Redis makes the same decisions as the limiter in memory', async () => {
  const pause = fc.oneof(
    { weight: 400, arbitrary: fc.integer({ min: 0, max: 400 }) },
    { weight: 4, arbitrary: fc.integer({ min: 400, max: 30_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -20_000, max: 5 * 3_600_000 }) },
    // The clock was days ahead, and is corrected.
    { weight: 1, arbitrary: fc.integer({ min: -3 * 86_400_000, max: 0 }) },
    { weight: 1, arbitrary: fc.constantFrom(86_400_000, -86_400_000, -61_000, -60_000, -59_000) },
    { weight: 3, arbitrary: fc.constantFrom(3_600_000, -3_600_000) },
  );
  const clock = new Clock();
  await using shared = await openRedis({ redisNow: clock.now });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 60 }),
      fc.array(pause, { minLength: 400, maxLength: 700, size: 'max' }),
      async (perMinute, perDay, pauses) => {
        clock.set('2026-11-15T23:40:00Z');
        await using plain = new MemoryLimiter({
          now: clock.now,
          journal: NO_JOURNAL,
          onSaveFailed: failLoudly,
        });
        const caller = newCaller(perMinute, perDay);
        const expected: (Decision | Quota)[] = [];
        const decided: Promise<Decision | Quota>[] = [];
        // Does not wait for responses: Redis decides in order, at the given time.
        for (const milliseconds of pauses) {
          clock.nowMs += milliseconds;
          expected.push(plain.take(caller, clock.now()), plain.peek(caller, clock.now()));
          decided.push(shared.limiter.take(caller), shared.limiter.peek(caller));
        }
        const actual = await Promise.all(decided);
        expect(actual.map(withoutMinuteUsed)).toEqual(expected.map(withoutMinuteUsed));
      },
    ),
    { numRuns: TRIALS },
  );
});

describe('several instances', () => {
  test('four instances at ten times the limit admit exactly the limit in each window', async () => {
    const clock = new Clock();
    await using resources = new AsyncDisposableStack();
    const limiters = await openFour(resources, { redisNow: clock.now });
    const { key: _, ...caller } = newCaller(100, 1_000_000);
    for (let window = 0; window < 5; window++) {
      const sent = limiters.map((limiter) => takeAll(limiter, caller, 250));
      expect(admitted((await Promise.all(sent)).flat())).toBe(100);
      clock.advance(60);
    }
  });

  test('Remaining never rises or repeats over 10,000 concurrent requests', async () => {
    await using resources = new AsyncDisposableStack();
    const limiters = await openFour(resources);
    const caller = newCaller(1_000_000, 1_000_000);
    const responses = await Promise.all(limiters.map((limiter) => takeAll(limiter, caller, 2_500)));
    for (const ofInstance of responses) {
      const remaining = ofInstance.map((decision) => decision.remaining);
      expect(remaining).toEqual(remaining.toSorted((a, b) => b - a));
    }
    const all = responses.flat().map(({ remaining }) => remaining);
    expect(new Set(all).size).toBe(10_000);
    expect(Math.max(...all) - Math.min(...all)).toBe(9_999);
  });

  test('instances with clocks 90 s apart share the window of the Redis clock', async () => {
    await using early = await openRedis();
    await using late = await openRedis();
    const caller = newCaller(1_000, 1_000);
    const first = await early.limiter.take(caller);
    setSystemTime(Date.now() + 90_000);
    const second = await late.limiter.take(caller);
    setSystemTime();
    expect(second.resetAtSeconds).toBe(first.resetAtSeconds);
    expect(second.remaining).toBe(first.remaining - 1);
  });
});

test('a key is banned even if all responses are slow', async () => {
  let delayMs = 0;
  await using proxy = await FlakyProxy.start(new URL(redis.url), { delayMs: () => delayMs });
  await using opened = await openRedis({ url: proxy.url, silenceMs: 10_000 });
  const caller = newCaller(1_000, 1);
  delayMs = 700;
  await takeAll(opened.limiter, caller, 203);
  await Bun.sleep(1_500);
  const decisions = await takeAll(opened.limiter, caller, 30);
  expect(decisions.at(-1)).toHaveProperty('refusedBy', 'ban');
});

describe('the data in Redis', () => {
  test('every Redis key expires, and the Redis keys of one account share a cluster node', async () => {
    await redis.send('FLUSHALL');
    await using opened = await openRedis();
    const caller = newCaller(1, 5);
    for (let i = 0; i < 5; i++) await opened.limiter.take(caller);
    const names = (await redis.send('KEYS', '*')) as string[];
    expect(names.filter((name) => !name.includes('{probe}'))).toHaveLength(2);
    for (const name of names) {
      expect(name).toMatch(new RegExp(`\\{(${caller.subject}|probe)\\}`));
      const seconds = Number(await redis.send('TTL', name));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(2 * 86_400);
    }
  });

  test('two stores share no counts, bans or limits of addresses', async () => {
    const clock = new Clock();
    await using first = await openRedis({ redisNow: clock.now, storeId: '00000001' });
    await using second = await openRedis({ redisNow: clock.now, storeId: '00000002' });
    const caller = newCaller(1_000, 2);
    const address = { subject: 'address:192.0.2.7', limits: { perMinute: 60, perDay: 1_000 } };
    await takeAll(first.limiter, caller, 203);
    clock.advance(2);
    const banned = await takeAll(first.limiter, caller, 30);
    expect(banned.at(-1)).toHaveProperty('refusedBy', 'ban');
    expect(await second.limiter.getUsage(caller.subject)).toBeUndefined();
    expect(admitted(await takeAll(second.limiter, caller, 3))).toBe(2);
    for (const { limiter } of [first, second]) {
      expect(await limiter.take(address)).toHaveProperty('remaining', 59);
    }
  });

  test('a script that the server lost is sent again', async () => {
    await using opened = await openRedis();
    const caller = newCaller(10, 10);
    await opened.limiter.take(caller);
    await redis.send('SCRIPT', 'FLUSH');
    expect((await opened.limiter.take(caller)).remaining).toBe(8);
  });

  test('a value of another type is replaced, and concerns no other account', async () => {
    await using opened = await openRedis();
    const [wrong, other] = [newCaller(10, 10), newCaller(10, 10)];
    await takeAll(opened.limiter, other, 4);
    await redis.send('SET', TEST_NAMES.usage(wrong.subject), 'text');
    await redis.send('LPUSH', TEST_NAMES.penalty(wrong.subject, wrong.key.id), 'text');
    expect(await opened.limiter.getUsage(wrong.subject)).toBeUndefined();
    expect(await opened.limiter.getPenalty(wrong.subject, wrong.key.id)).toBeUndefined();
    expect(admitted(await takeAll(opened.limiter, wrong, 20))).toBe(10);
    expect(await opened.limiter.getUsage(wrong.subject)).toMatchObject({ dayUsed: 10 });
    expect(admitted(await takeAll(opened.limiter, other, 20))).toBe(6);
  });

  test('missing and malformed fields count as 0, and concern no other account', async () => {
    await using opened = await openRedis();
    const caller = newCaller(10, 10);
    const name = TEST_NAMES.usage(caller.subject);
    await redis.send('HSET', name, 'minute_start', 'x', 'day_used', '', 'created_at', 'x');
    await redis.send('HSET', TEST_NAMES.penalty(caller.subject, caller.key.id), 'penalty', '[');
    expect(admitted(await takeAll(opened.limiter, caller, 20))).toBe(10);
    expect(opened.events).toEqual([]);
  });

  test('a penalty of another type costs no counts', async () => {
    await using opened = await openRedis();
    const caller = newCaller(10, 10);
    await takeAll(opened.limiter, caller, 4);
    await redis.send('SET', TEST_NAMES.penalty(caller.subject, caller.key.id), 'text');
    expect(admitted(await takeAll(opened.limiter, caller, 20))).toBe(6);
  });

  test('an operator can read usage and penalties', async () => {
    const clock = new Clock();
    await using opened = await openRedis({ redisNow: clock.now });
    const caller = newCaller(1_000, 2);
    const keyId = caller.key.id;
    for (let i = 0; i < 203; i++) await opened.limiter.take(caller);
    clock.advance(2);
    for (let i = 0; i < 30; i++) await opened.limiter.take(caller);
    const link = await connectRedis(redis.url);
    const reader = new RedisCounts(link, STORE_ID);
    expect(await reader.getUsage(caller.subject)).toMatchObject({ dayUsed: 2, minuteUsed: 2 });
    const penalty = await reader.getPenalty(caller.subject, keyId);
    expect(penaltyAfterUnban(penalty, 0)).toMatchObject({ bans: 1, strikes: [] });
    expect(await reader.getUsage('account:0')).toBeUndefined();
    expect(await reader.getPenalty('account:0', 1)).toBeUndefined();
    link.close();
  });
});
