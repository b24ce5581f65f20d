import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import fc from 'fast-check';
import { penaltyAfterUnban } from '../../src/domain/ban.ts';
import type { Caller, Decision } from '../../src/domain/rate-limit.ts';
import { NO_JOURNAL } from '../../src/domain/usage-journal.ts';
import { MemoryLimiter } from '../../src/memory/limiter.ts';
import { connectRedis } from '../../src/redis/connection.ts';
import { RedisLimiter, type RedisLimiterOptions } from '../../src/redis/limiter.ts';
import { RedisUsageReader } from '../../src/redis/usage-reader.ts';
import { Clock } from '../support/clock.ts';
import { eventually } from '../support/command.ts';
import { TestRedis } from '../support/redis.ts';
import { limiterSuite } from './limiter-suite.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await TestRedis.start();
}, 60_000);
afterAll(() => redis[Symbol.asyncDispose]());

function openMemory(now: () => number): MemoryLimiter {
  return new MemoryLimiter({ now, journal: NO_JOURNAL, onSaveFailed: () => {} });
}

async function openRedis(
  options: Partial<RedisLimiterOptions> = {},
): Promise<{ limiter: RedisLimiter } & AsyncDisposable> {
  const resources = new AsyncDisposableStack();
  const fallback = resources.use(await openMemory(options.now ?? Date.now));
  const limiter = await RedisLimiter.open({
    url: redis.url,
    fallback,
    instances: 1,
    onAway: (error) => {
      throw error;
    },
    onBack: () => {},
    ...options,
  });
  resources.use(limiter);
  return { limiter, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

let subjects = 1_000_000;
function newCaller(perMinute: number, perDay: number): Caller {
  const id = ++subjects;
  return { subject: `account:${id}`, limits: { perMinute, perDay }, key: { id, unbannedAtMs: 0 } };
}

limiterSuite('the limiter in Redis', async (now) => {
  await redis.send('FLUSHALL');
  return openRedis({ now });
});

test('decides every request as the limiter in memory does', async () => {
  const pause = fc.oneof(
    { weight: 60, arbitrary: fc.integer({ min: 0, max: 400 }) },
    { weight: 3, arbitrary: fc.integer({ min: 400, max: 30_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -20_000, max: 5 * 3_600_000 }) },
    // A clock that was set right by days.
    { weight: 1, arbitrary: fc.integer({ min: -3 * 86_400_000, max: 0 }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 60 }),
      fc.array(pause, { minLength: 300, maxLength: 700, size: 'max' }),
      async (perMinute, perDay, pauses) => {
        const clock = new Clock('2026-11-15T23:40:00Z');
        await using shared = await openRedis({ now: clock.now });
        await using plain = await openMemory(clock.now);
        const caller = newCaller(perMinute, perDay);
        for (const milliseconds of pauses) {
          clock.nowMs += milliseconds;
          const expected = await plain.take(caller);
          expect(await shared.limiter.take(caller)).toEqual(expected);
          expect(await shared.limiter.peek(caller)).toEqual(await plain.peek(caller));
        }
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

describe('instances together', () => {
  const ADMITTED = (decisions: readonly Decision[]) =>
    decisions.filter(({ refusedBy }) => refusedBy === undefined).length;

  test('four at ten times the limit admit exactly the limit, window for window', async () => {
    const clock = new Clock();
    await using resources = new AsyncDisposableStack();
    const instances = await Promise.all([0, 1, 2, 3].map(() => openRedis({ now: clock.now })));
    for (const instance of instances) resources.use(instance);
    const caller = { ...newCaller(100, 1_000_000), key: undefined } as unknown as Caller;
    for (let window = 0; window < 10; window++) {
      const sent = Array.from({ length: 1_000 }, (_, index) =>
        (instances[index % 4] as { limiter: RedisLimiter }).limiter.take(caller),
      );
      expect(ADMITTED(await Promise.all(sent))).toBe(100);
      clock.advance(60);
    }
  }, 30_000);

  test('Remaining strictly falls over 10,000 concurrent answers', async () => {
    await using resources = new AsyncDisposableStack();
    const instances = await Promise.all([0, 1, 2, 3].map(() => openRedis()));
    for (const instance of instances) resources.use(instance);
    const caller = newCaller(1_000_000, 1_000_000);
    // A thousand at a time: more would keep Redis itself busy for longer than it may be silent.
    const answers: Decision[][] = instances.map(() => []);
    for (let round = 0; round < 10; round++) {
      const asked = instances.map(({ limiter }) =>
        Promise.all(Array.from({ length: 250 }, () => limiter.take(caller))),
      );
      for (const [index, decisions] of (await Promise.all(asked)).entries()) {
        answers[index]?.push(...decisions);
      }
    }
    for (const ofInstance of answers) {
      const remaining = ofInstance.map((decision) => decision.remaining);
      expect(remaining).toEqual(remaining.toSorted((a, b) => b - a));
    }
    const all = answers.flat().map(({ remaining }) => remaining);
    expect(new Set(all).size).toBe(10_000);
    expect(Math.max(...all) - Math.min(...all)).toBe(9_999);
  }, 30_000);

  test('clocks of instances that are 90 s apart change nothing: Redis has its own', async () => {
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

  test('a pause of the process is not taken for silence of Redis', async () => {
    const events: string[] = [];
    await using opened = await openRedis({ instances: 4, onAway: () => events.push('away') });
    const caller = newCaller(1_000, 1_000);
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 20 }, () => opened.limiter.take(caller));
      Bun.sleepSync(120);
      for (const { limit } of await Promise.all(asked)) expect(limit).toBe(1_000);
    }
    expect(events).toEqual([]);
  });
});

describe('what is kept', () => {
  test('every name expires, and all of an account are on one node of a cluster', async () => {
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

  test('a script that the server has forgotten is sent again', async () => {
    await using opened = await openRedis();
    const caller = newCaller(10, 10);
    await opened.limiter.take(caller);
    await redis.send('SCRIPT', 'FLUSH');
    expect((await opened.limiter.take(caller)).remaining).toBe(8);
  });

  test('an operator sees usage and penalties', async () => {
    const clock = new Clock();
    await using opened = await openRedis({ now: clock.now });
    const caller = newCaller(1_000, 2);
    const keyId = caller.key?.id ?? 0;
    for (let i = 0; i < 203; i++) await opened.limiter.take(caller);
    clock.advance(2);
    for (let i = 0; i < 30; i++) await opened.limiter.take(caller);
    const client = await connectRedis(redis.url);
    const reader = new RedisUsageReader(client);
    expect(await reader.getUsage(caller.subject)).toMatchObject({ dayUsed: 2, minuteUsed: 2 });
    const penalty = await reader.getPenalty(caller.subject, keyId);
    expect(penaltyAfterUnban(penalty, 0)).toMatchObject({ bans: 1, strikes: [] });
    expect(await reader.getUsage('account:0')).toBeUndefined();
    expect(await reader.getPenalty('account:0', 1)).toBeUndefined();
    client.close();
  });
});

describe('Redis away', () => {
  async function openOwn(instances: number) {
    const resources = new AsyncDisposableStack();
    const own = resources.use(await TestRedis.start());
    const events: string[] = [];
    const { limiter } = resources.use(
      await openRedis({
        url: own.url,
        instances,
        onAway: () => events.push('away'),
        onBack: () => events.push('back'),
      }),
    );
    return { own, events, limiter, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  }

  const breaks = {
    stopped: { begin: (own: TestRedis) => own.stop(), end: (own: TestRedis) => own.start() },
    frozen: {
      begin: async (own: TestRedis) => own.signal('SIGSTOP'),
      end: async (own: TestRedis) => own.signal('SIGCONT'),
    },
  };

  test.each(['stopped', 'frozen'] as const)(
    '%s: limits go on in process at the share of this instance, and come back by themselves',
    async (kind) => {
      await using opened = await openOwn(4);
      const { own, events, limiter } = opened;
      expect(await limiter.take(newCaller(100, 1_000))).toMatchObject({ limit: 100 });
      await breaks[kind].begin(own);
      const caller = newCaller(100, 1_000);
      const decisions = await Promise.all(Array.from({ length: 60 }, () => limiter.take(caller)));
      expect(decisions.filter(({ refusedBy }) => refusedBy === undefined)).toHaveLength(25);
      expect(decisions[0]).toMatchObject({ limit: 25 });
      await eventually(async () => {
        await limiter.take(newCaller(100, 1_000));
        return events.length > 0;
      });
      expect(events).toEqual(['away']);
      await breaks[kind].end(own);
      await eventually(() => events.includes('back'));
      expect(events).toEqual(['away', 'back']);
      expect(await limiter.take(newCaller(100, 1_000))).toMatchObject({ limit: 100 });
    },
    30_000,
  );

  test('a server that cannot be written is away until it can, with one line each', async () => {
    await using opened = await openOwn(1);
    const { own, events, limiter } = opened;
    await own.send('CONFIG', 'SET', 'maxmemory', '1');
    const ask = async () =>
      expect((await limiter.take(newCaller(10, 10))).refusedBy).toBeUndefined();
    await eventually(async () => {
      await ask();
      return events.length > 0;
    });
    for (let i = 0; i < 10; i++) {
      await ask();
      await Bun.sleep(100);
    }
    expect(events).toEqual(['away']);
    await own.send('CONFIG', 'SET', 'maxmemory', '0');
    await eventually(() => events.length > 1);
    expect(events).toEqual(['away', 'back']);
  }, 30_000);

  test('at the start, the service starts without it', async () => {
    const events: string[] = [];
    await using opened = await openRedis({
      url: 'redis://127.0.0.1:1',
      onAway: () => events.push('away'),
    });
    expect((await opened.limiter.take(newCaller(10, 10))).refusedBy).toBeUndefined();
    expect(events).toEqual(['away']);
  });
});
