import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Counts } from '#domain/rate-limit.ts';
import { connectRedis } from '#limiters/redis/connection.ts';
import { countsName, RedisCounts } from '#limiters/redis/counts.ts';
import type { RedisLimiterOptions } from '#limiters/redis/limiter.ts';
import { FlakyProxy } from '../faults/flaky-proxy.ts';
import { lacks } from '../support/programs.ts';
import { TestRedis } from '../support/redis.ts';
import { eventually, PATIENT_MS } from '../support/time.ts';
import {
  admitted,
  newCaller,
  openConnectedLimiter,
  openRedisLimiter,
  STORE_ID,
  takeAll,
  testName,
  withoutKey,
} from './limiters.ts';

type Seen = Pick<Awaited<ReturnType<typeof openRedisLimiter>>, 'events'>;

const haveSeen = (event: 'away' | 'back', ...all: Seen[]) =>
  eventually(() => all.every(({ events }) => events.includes(event)));

const SETTLING = countsName(STORE_ID, 'settling');

/** This is not the probe of a new connection. */
const isSettlement = (text: string) => text.includes('{account:') && text.includes('"admitted"');

/** A caller that is limited only by the day. */
function dayCaller(perDay: number) {
  return newCaller(1_000_000, perDay);
}

describe.skipIf(lacks('redis-server'))('with a Redis that goes away', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  beforeEach(() => redis.startIfStopped());
  afterAll(() => redis[Symbol.asyncDispose]());

  /** Does not wait for the settlements of other instances, unless the test has them. */
  function open(instances: number, options: Partial<RedisLimiterOptions> = {}) {
    return openConnectedLimiter({ url: redis.url, instances, holdMs: 100, ...options });
  }

  test('late responses are used after a pause that is shorter than the allowed silence', async () => {
    await using opened = await open(4, { silenceMs: 60_000 });
    const caller = dayCaller(1_000);
    await opened.limiter.take(caller);
    redis.signal('SIGSTOP');
    const decisions = takeAll(opened.limiter, caller, 20);
    await Bun.sleep(50);
    redis.signal('SIGCONT');
    expect((await decisions).at(-1)).toHaveProperty('remaining', 979);
    expect(opened.events).toEqual([]);
  });

  test('a pause of this process is not mistaken for a pause of Redis', async () => {
    await using opened = await open(4);
    const caller = dayCaller(1_000);
    const decisions = takeAll(opened.limiter, caller, 20);
    // This pause is longer than the allowed silence.
    Bun.sleepSync(1_200);
    await decisions;
    expect(await opened.limiter.take(caller)).toMatchObject({ remaining: 979 });
    expect(opened.events).toEqual([]);
  });

  test('an instance admits its share of the remaining requests, and uses Redis again when it returns', async () => {
    await using opened = await open(4);
    const { events, limiter } = opened;
    const caller = dayCaller(1_000);
    await takeAll(limiter, caller, 20);
    await redis.stop();
    const first = await limiter.take(caller);
    // A quarter of the remaining 980, less the requests that were sent just before.
    const share = first.remaining + 1;
    expect(share).toBeWithin(980 / 4 - 21, 980 / 4 + 1);
    expect(first).toMatchObject({ window: 'day', limit: 1_000 });
    expect(admitted(await takeAll(limiter, caller, 300))).toBe(share - 1);
    await redis.start();
    await haveSeen('back', opened);
    expect(await limiter.take(dayCaller(100))).toMatchObject({ limit: 100, remaining: 99 });
    expect(events).toEqual(['away', 'back']);
  });

  test('a test time stays that of its account, while Redis is away and after', async () => {
    await using opened = await open(1);
    const { limiter } = opened;
    const rehearsing = { ...dayCaller(100), clockOffsetMs: 2_000 * 86_400_000 };
    const real = dayCaller(100);
    const daysApart = async () => {
      const [present, future] = [await limiter.take(real), await limiter.take(rehearsing)];
      return (future.resetAtSeconds - present.resetAtSeconds) / 86_400;
    };
    expect(await daysApart()).toBe(2_000);
    redis.signal('SIGSTOP');
    expect(await daysApart()).toBe(2_000);
    redis.signal('SIGCONT');
    await haveSeen('back', opened);
    expect(await daysApart()).toBe(2_000);
  });

  test.each(['an instance', 'one of version 1.0.0'])(
    'after a loss of its data, the largest known count is restored below the requests since, first by %s',
    async (who) => {
      let isCut = false;
      await using proxy = await FlakyProxy.start(redis.url, {
        dropRequest: () => isCut,
      });
      await using first = await open(2);
      await using second = await open(2, { url: proxy.url });
      const caller = dayCaller(20);
      await takeAll(first.limiter, caller, 5);
      await takeAll(second.limiter, caller, 4);
      isCut = true;
      await redis.restart();
      await haveSeen('back', first);
      expect(await first.limiter.take(caller)).toHaveProperty('remaining', 20 - 6);
      if (who !== 'an instance') await redis.send('HDEL', testName(caller), 'run');
      isCut = false;
      await haveSeen('back', second);
      expect(await second.limiter.take(caller)).toHaveProperty('remaining', 20 - 11);
      expect(await first.limiter.take(caller)).toHaveProperty('remaining', 20 - 12);
    },
  );

  test.each([
    ['all of its data, no count changes', 601, '--appendonly yes --appendfsync always'],
    ['an older snapshot, each count is restored below the requests since', 601, ''],
    [
      'an older snapshot, and does not tell its run id, the largest known count applies',
      501,
      '--user default on nopass ~* &* +@all -info',
    ],
  ])('if it starts again with %s', async (_, count, options) => {
    await using resources = new AsyncDisposableStack();
    const server = resources.use(await TestRedis.start(...options.split(' ').filter(Boolean)));
    const [first, second] = [
      resources.use(await open(2, { url: server.url })),
      resources.use(await open(2, { url: server.url })),
    ];
    const caller = dayCaller(1_000);
    await takeAll(first.limiter, caller, 100);
    await server.send('SAVE');
    await takeAll(first.limiter, caller, 200);
    await takeAll(second.limiter, caller, 200);
    await server.restart();
    await haveSeen('back', first, second);
    await takeAll(first.limiter, caller, 100);
    expect(await second.limiter.take(caller)).toHaveProperty('remaining', 1_000 - count);
  });

  test.each(['an older snapshot', 'nothing'])(
    'what an idle instance knows counts before others use it up, after a restart with %s',
    async (left) => {
      await using server = await TestRedis.start();
      let failures = 0;
      const dropRequest = (text: string) => isSettlement(text) && failures-- > 0;
      await using proxy = await FlakyProxy.start(server.url, { dropRequest });
      // The busy instance waits for the idle one, even on a slow machine.
      await using busy = await open(2, { url: server.url, holdMs: 4_000 });
      await using idle = await open(2, { url: proxy.url });
      const caller = withoutKey(dayCaller(1_000));
      await takeAll(busy.limiter, caller, 50);
      if (left !== 'nothing') await server.send('SAVE');
      await takeAll(idle.limiter, caller, 450);
      // The instance must send all settlements again if the connection fails in between.
      failures = 1;
      await server.restart();
      let count = 500;
      await eventually(async () => {
        count += admitted(await takeAll(busy.limiter, caller, 10));
        return [busy, idle].every(({ events }) => events.includes('back'));
      });
      count += admitted(await takeAll(busy.limiter, caller, 700));
      expect(count).toBe(1_000);
      expect(failures).toBeLessThan(0);
    },
  );

  test('an idle instance notices that Redis is gone, even if nothing closes its connection', async () => {
    await using proxy = await FlakyProxy.start(redis.url);
    await using opened = await open(1, { url: proxy.url });
    proxy.silenceOpenConnections();
    await haveSeen('away', opened);
  });

  test('Redis does not decide alone while an instance still has settlements to send', async () => {
    await using opened = await open(2);
    await redis.send('HSET', SETTLING, 'settling', '1');
    await redis.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await haveSeen('away', opened);
    await using fresh = await openRedisLimiter({ url: redis.url, instances: 2, holdMs: 100 });
    // At first, Redis does not tell its run id.
    for (const rights of ['-hgetall', '+hgetall']) {
      await redis.send('ACL', 'SETUSER', 'default', rights);
      await Bun.sleep(300);
    }
    expect([opened.events, fresh.events]).toEqual([['away'], ['away']]);
    await redis.send('DEL', SETTLING);
    await haveSeen('back', opened, fresh);
  });

  test('an instance that crashes still counts as settling for up to two seconds', async () => {
    const counts = new RedisCounts(await connectRedis(redis.url), STORE_ID);
    await redis.send('SET', SETTLING, 'not ours');
    await eventually(async () => {
      await counts.announceSettling();
      return [1, 2].includes(Number(await redis.send('TTL', SETTLING)));
    });
    counts.link.close();
  });

  test('settlements are sent a hundred at a time, and an account that sends a request comes first', async () => {
    const callers = Array.from({ length: 1_500 }, () => dayCaller(10));
    const last = callers.at(-1) as (typeof callers)[0];
    let settlements = 0;
    let announcement: string | undefined;
    let asked: Promise<{ inRedis: Counts | undefined; settlements: number }> | undefined;
    const ask = async () => {
      await opened.limiter.take(last);
      const sent = settlements;
      return { inRedis: await opened.limiter.getCounts(last.subject), settlements: sent };
    };
    await using proxy = await FlakyProxy.start(redis.url, {
      dropRequest(text) {
        if (text.includes('announce')) announcement ??= text;
        settlements += text.split('"dayUsed":1}').length - 1;
        if (settlements > 0) asked ??= ask();
        return false;
      },
    });
    await using opened = await open(1, { url: proxy.url, silenceMs: PATIENT_MS });
    await redis.stop();
    await haveSeen('away', opened);
    for (const caller of callers) await opened.limiter.take(caller);
    await redis.start();
    await haveSeen('back', opened);
    expect((await asked)?.inRedis).toHaveProperty('dayUsed', 2);
    // The request waited for the hundred that were being sent, and perhaps for the next, but not for all of them.
    expect((await asked)?.settlements).toBeWithin(101, 1_000);
    const taken = await Promise.all(callers.map((caller) => opened.limiter.take(caller)));
    expect(taken.map(({ remaining }) => remaining)).toEqual([...Array(1_499).fill(8), 7]);
    expect(settlements).toBe(1_500);
    // Other instances must know of the settlements before this instance has listed them.
    expect(announcement).not.toContain('{account:');
  });

  test('a settlement without a response is repeated', async () => {
    let failures = 2;
    const dropResponseTo = (text: string) => isSettlement(text) && failures-- > 0;
    await using proxy = await FlakyProxy.start(redis.url, { dropResponseTo });
    await using opened = await open(1, { url: proxy.url });
    const { limiter, events } = opened;
    const caller = dayCaller(1_000);
    await redis.stop();
    await haveSeen('away', opened);
    await takeAll(limiter, caller, 30);
    await redis.start();
    await haveSeen('back', opened);
    expect(events).toEqual(['away', 'back']);
    expect(failures).toBe(-1);
    // Redis also counted the settlements whose responses were lost.
    expect((await limiter.take(caller)).remaining).toBe(1_000 - 3 * 30 - 1);
  });
});
