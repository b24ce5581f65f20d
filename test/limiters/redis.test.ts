import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import fc from 'fast-check';
import { countsAt, type Decision, minuteOffsetSeconds } from '#domain/rate-limit.ts';
import { connectRedis } from '#limiters/redis/connection.ts';
import { RedisCounts } from '#limiters/redis/counts.ts';
import type { RedisLimiterOptions } from '#limiters/redis/limiter.ts';
import { lacks } from '../support/programs.ts';
import { TestRedis } from '../support/redis.ts';
import { Clock, withinOneDay } from '../support/time.ts';
import { limiterSuite } from './limiter-suite.ts';
import {
  admitted,
  newCaller,
  newMemoryLimiter,
  openPatientLimiter,
  STORE_ID,
  takeAll,
  testName,
} from './limiters.ts';

/** `TRIALS=100 npx bun test test/limiters` compares the two limiters for longer. */
const TRIALS = Number(Bun.env['TRIALS'] ?? 10);

describe.skipIf(lacks('redis-server'))('with Redis', () => {
  let redis: TestRedis;
  /** The counts in Redis, without a limiter. */
  let counts: RedisCounts;
  beforeAll(async () => {
    redis = await TestRedis.start();
    counts = new RedisCounts(await connectRedis(redis.url), STORE_ID);
  });
  afterAll(async () => {
    counts.link.close();
    await redis[Symbol.asyncDispose]();
  });

  function openRedis(options: Partial<RedisLimiterOptions> = {}) {
    return openPatientLimiter({ url: redis.url, ...options });
  }

  limiterSuite('the limiter in Redis', (now) => openRedis({ redisNow: now }));

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
          await using plain = newMemoryLimiter(clock.now);
          const caller = newCaller(perMinute, perDay);
          const expected: Decision[] = [];
          const decided: Promise<Decision>[] = [];
          // This does not wait for responses, because Redis decides in order, at the given time.
          for (const milliseconds of pauses) {
            clock.nowMs += milliseconds;
            expected.push(plain.take(caller, clock.now()));
            decided.push(shared.limiter.take(caller));
          }
          const actual = await Promise.all(decided);
          // Redis keeps no minute of a refusal, so a clock that steps back may change this count.
          const withoutCount = (decision: Decision) => ({ ...decision, minuteUsed: 0 });
          expect(actual.map(withoutCount)).toEqual(expected.map(withoutCount));
        },
      ),
      { numRuns: TRIALS },
    );
  });

  test(
    'instances with clocks two days apart share the window of the Redis clock',
    withinOneDay(async () => {
      await using early = await openRedis({ redisNow: undefined });
      await using late = await openRedis({ redisNow: undefined });
      const caller = newCaller(1_000_000, 1_000);
      const first = await early.limiter.take(caller);
      setSystemTime(Date.now() + 2 * 86_400_000);
      const second = await late.limiter.take(caller);
      setSystemTime();
      expect(second.resetAtSeconds).toBe(first.resetAtSeconds);
      expect(second.remaining).toBe(first.remaining - 1);
    }),
  );

  test('a refusal that Redis decides late, after a pause, does not count against the key', async () => {
    const caller = newCaller(1_000, 1);
    const clock = new Clock();
    const take = async (count: number, lateMs: number) => {
      const nowMs = clock.now();
      const decide = () => counts.take(caller, nowMs - lateMs, nowMs);
      const taken = Array.from({ length: count }, decide);
      return (await Promise.all(taken)).at(-1)?.decision.refusedBy;
    };
    expect(await take(2, 0)).toBe('day');
    clock.advance(2);
    expect(await take(400, 1_000)).toBe('day');
    expect(await take(199 + 29, 0)).toBe('day');
    // Slow responses do not excuse a key.
    expect(await take(1, 400)).toBe('ban');
  });

  test('requests admitted in a new minute stay counted if the clock of Redis is still in the minute before', async () => {
    const { subject } = newCaller(1_000, 1_000);
    const known = countsAt(undefined, subject, Date.parse('2026-11-15T12:00:00Z'));
    const minuteStartSeconds = known.minuteStartSeconds + 60;
    const newer = { ...known, minuteStartSeconds, minuteUsed: 3, dayUsed: 3 };
    const settlement = {
      subject,
      known: { counts: known, createdAt: 1, nowMs: 0 },
      admitted: newer,
    };
    const report = await counts.settle(settlement, (minuteStartSeconds - 1) * 1000);
    expect(report.counts).toEqual(newer);
  });

  /** In seconds after a midnight. */
  const NOON = 12 * 3_600;
  test.each([
    ['a minute after', NOON, NOON, NOON + 60],
    ['two minutes before', NOON, NOON, NOON - 120],
    ['a day after', NOON, NOON, NOON + 86_400],
    ['in the same minute, but on the next day, than', -1, -1, 1],
    ['at the same time, in the same minute and on the next day, as', -1, 1, 1],
  ])('Redis chooses the windows, also %s the instance expects', async (_, first, sent, decided) => {
    let caller = newCaller(100, 100);
    while (minuteOffsetSeconds(caller.subject) !== 30) caller = newCaller(100, 100);
    const [firstMs, sentMs, decidedMs] = [first, sent, decided].map((at) =>
      Date.UTC(2026, 10, 16, 0, 0, at),
    );
    const { report } = await counts.take(caller, firstMs as number, firstMs);
    const expected = { ...countsAt(report.counts, caller.subject, decidedMs as number) };
    expected.minuteUsed++;
    expected.dayUsed++;
    const second = await counts.take(caller, sentMs as number, decidedMs);
    expect(second.report.counts).toEqual(expected);
  });

  test('requests of a turn are decided in their order, with and without a penalty', async () => {
    const clock = new Clock();
    await using opened = await openRedis({ redisNow: clock.now });
    const punished = newCaller(3, 100);
    expect(admitted(await takeAll(opened.limiter, punished, 4))).toBe(3);
    clock.advance(60);
    const other = { ...punished, id: newCaller(1, 1).id };
    const taken = [punished, other, punished, other].map((key) => opened.limiter.take(key));
    const decisions = await Promise.all(taken);
    expect(decisions.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
    expect(decisions.map(({ refusedBy }) => refusedBy !== undefined)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('250 requests of a turn share a script, and each account has one name, which expires', async () => {
    await redis.send('FLUSHALL');
    await using opened = await openRedis();
    await redis.send('CONFIG', 'RESETSTAT');
    const taken = [130, 121].map((count) => takeAll(opened.limiter, newCaller(1, 5), count));
    await Promise.all(taken);
    // The first request of each account is also a settlement, which has a call of its own.
    expect(await redis.send('INFO', 'commandstats')).toContain('cmdstat_evalsha:calls=4,');
    const names = (await redis.send('KEYS', '*{account*')) as string[];
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect(Number(await redis.send('TTL', name))).toBeWithin(130_000, 3 * 86_400);
    }
  });

  test('two stores share no counts', async () => {
    const caller = newCaller(1_000, 2);
    for (const storeId of ['00000001', '00000002']) {
      await using opened = await openRedis({ storeId });
      expect(admitted(await takeAll(opened.limiter, caller, 3))).toBe(2);
    }
  });

  test('a value that is not ours counts as 0', async () => {
    await using opened = await openRedis();
    const { limiter } = opened;
    const [wrong, malformed] = [newCaller(10, 10), newCaller(10, 10)];
    await redis.send('SET', testName(wrong), 'text');
    expect(await limiter.getCounts(wrong.subject)).toBeUndefined();
    const penalty = `penalty:${malformed.id}`;
    await redis.send('HSET', testName(malformed), penalty, '[');
    expect(await limiter.getPenalty(malformed.subject, malformed.id)).toBeUndefined();
    const parts = '{"unbannedAtMs":0,"bannedUntilSeconds":"x","strikes":["x",null,{},1e999],';
    const numbers = '"refusals":-1e999,"bans":0.5,"refusedUntilSeconds":[]}';
    await redis.send('HSET', testName(malformed), penalty, parts + numbers);
    for (const caller of [wrong, malformed]) {
      expect(admitted(await takeAll(limiter, caller, 20))).toBe(10);
    }
    expect(await limiter.getCounts(wrong.subject)).toMatchObject({ dayUsed: 10 });
    expect(opened.events).toEqual([]);
  });

  test('strikes that are not a list are dropped', async () => {
    const clock = new Clock();
    await using opened = await openRedis({ redisNow: clock.now });
    const caller = newCaller(1_000, 1);
    await takeAll(opened.limiter, caller, 1 + 200);
    const field = `penalty:${caller.id}`;
    const saved = (await redis.send('HGET', testName(caller), field)) as string;
    const damaged = { ...JSON.parse(saved), strikes: 7, bannedUntilSeconds: 1e300 };
    await redis.send('HSET', testName(caller), field, JSON.stringify(damaged));
    clock.advance(2);
    expect(await opened.limiter.take(caller)).toHaveProperty('refusedBy', 'day');
    expect(opened.events).toEqual([]);
    expect(await opened.limiter.getPenalty(caller.subject, caller.id)).toMatchObject({
      strikes: [clock.now() / 1000],
      bannedUntilSeconds: 0,
    });
  });

  test.each(['nan', '-1e9', '0.5', 'x'])(
    'a count of %s in Redis lifts no limit, and takes Redis from no other account',
    async (value) => {
      await using opened = await openRedis();
      const { limiter } = opened;
      const damaged = newCaller(10, 10);
      await limiter.take(damaged);
      for (const [field, name] of [
        ['minute_used', 'minuteUsed'],
        ['day_used', 'dayUsed'],
      ] as const) {
        await redis.send('HSET', testName(damaged), field, value);
        await limiter.take({ ...damaged, perMinute: 100, perDay: 100 });
        expect(await limiter.getCounts(damaged.subject)).toHaveProperty(name, 1);
      }
      for (const field of ['minute_used', 'day_used', 'minute_start', 'created_at']) {
        await redis.send('HSET', testName(damaged), field, value);
        expect((await limiter.getCounts(damaged.subject))?.dayUsed).toBeWithin(0, 100);
        expect(admitted(await takeAll(limiter, damaged, 20))).toBeWithin(0, 11);
        expect(await limiter.take({ ...damaged, perMinute: 1, perDay: 1 })).toHaveProperty(
          'refusedBy',
        );
      }
      expect(opened.events).toEqual([]);
    },
  );
});
