import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { OperatorError } from '#domain/error.ts';
import { freePort, lacks } from '../support/programs.ts';
import { createRedisUser, REDIS_USER, sendRedis, TestRedis } from '../support/redis.ts';
import { eventually, rejection } from '../support/time.ts';
import { newCaller, openRedisLimiter, testName } from './limiters.ts';

describe.skipIf(lacks('redis-server'))('a Redis that refuses', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  beforeEach(() => redis.startIfStopped());
  afterAll(() => redis[Symbol.asyncDispose]());

  function urlWith(user: string) {
    return redis.url.replace('//', `//${user}@`);
  }

  /** Opens a limiter and records why Redis is away. */
  async function open(url = redis.url) {
    const reasons: string[] = [];
    const onAway = (error: unknown) => reasons.push((error as Error).message);
    return { ...(await openRedisLimiter({ url, onAway, holdMs: 100 })), reasons };
  }

  describe('makes the start fail, and the error repeats its words,', () => {
    async function startError(url: string): Promise<string> {
      const error = await rejection(openRedisLimiter({ url }));
      expect(error).toBeInstanceOf(OperatorError);
      return (error as Error).message;
    }

    test('if the password is wrong, if it is missing, and if there should be none', async () => {
      const wrong = 'Redis refused the user or the password of REDIS_URL (WRONGPASS ';
      expect(await startError(urlWith('nobody:hunter2'))).toContain(wrong);
      // No connection is left, except the one that asks.
      const clients = async () => String(await redis.send('CLIENT', 'LIST')).match(/^id=/gm);
      await eventually(async () => (await clients())?.length === 1);
      await redis.send('CONFIG', 'SET', 'requirepass', 'right');
      try {
        const message = await startError(urlWith(':hunter2'));
        expect(message).toStartWith('Cannot use Redis at 127.0.0.1:');
        expect(message).toContain(wrong);
        expect(message).not.toContain('hunter2');
        const missing = 'Redis requires a password, and REDIS_URL has';
        expect(await startError(redis.url)).toContain(missing);
        await using opened = await open(urlWith(':right'));
        expect(await opened.limiter.take(newCaller(5, 5))).toHaveProperty('remaining', 4);
      } finally {
        await redis.stop();
      }
    });

    test('if the user may not run scripts, and the rights in docs/scaling.md are enough', async () => {
      await redis.send('ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '+@read', '+hello');
      expect(await startError(urlWith('reader:secret'))).toContain('may not run the script');
      await createRedisUser(redis, 'server');
      await using opened = await open(`${urlWith(REDIS_USER)}/3`);
      const caller = newCaller(5, 5);
      await sendRedis(`${redis.url}/3`, 'SET', testName(caller), 'not a hash');
      await opened.limiter.take(caller);
      expect(opened.reasons).toEqual([]);
      expect(await opened.limiter.getCounts(caller.subject)).toHaveProperty('dayUsed', 1);
    });

    test('if the server is a node of a cluster, which redis+cluster:// can use', async () => {
      const options = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
      await using node = await TestRedis.start(...options);
      expect(await startError(node.url)).toContain('a node of a cluster: use redis+cluster://');
    });

    test.each([
      ['the database does not exist', 'redis://', '/5000', 'does not have the database'],
      [
        'the servers of a Sentinel address are not Sentinels, also if the first is away',
        'redis+sentinel://127.0.0.1:1,',
        '/limits',
        'are not Sentinels (ERR unknown command',
      ],
      [
        'the password of a cluster is wrong, also if the first node is away',
        'redis+cluster://nobody:hunter2@127.0.0.1:1,',
        '',
        'WRONGPASS',
      ],
      [
        'the server of a cluster address is not a node of a cluster',
        'redis+cluster://',
        '',
        'Redis is not a node of a cluster',
      ],
    ])('if %s', async (_, start, end, message) => {
      expect(await startError(redis.url.replace('redis://', start) + end)).toContain(message);
    });
  });

  test.each([
    {
      reason: 'Redis requires a password',
      begin: async () => {
        await redis.send('CONFIG', 'SET', 'requirepass', 'new');
        await sendRedis(urlWith(':new'), 'CLIENT', 'KILL', 'TYPE', 'normal');
      },
      end: () => sendRedis(urlWith(':new'), 'CONFIG', 'SET', 'requirepass', ''),
    },
    {
      reason: 'Redis refused: OOM ',
      begin: () => redis.send('CONFIG', 'SET', 'maxmemory', '1'),
      end: () => redis.send('CONFIG', 'SET', 'maxmemory', '0'),
    },
  ])(
    'counts as away until it accepts, and the log says why once each time: $reason',
    async (refusal) => {
      const { begin, reason, end } = refusal;
      await using opened = await open();
      const { limiter, events, reasons } = opened;
      const caller = newCaller(100, 100);
      await limiter.take(caller);
      const seen = () => reasons.filter((text) => text.includes(reason)).length;
      for (const times of [1, 2]) {
        await begin();
        await eventually(async () => {
          expect(await limiter.take(newCaller(5, 5))).not.toHaveProperty('refusedBy');
          return seen() === times;
        });
        await end();
        await eventually(() => events.filter((event) => event === 'back').length === times);
        expect(seen()).toBe(times);
      }
      expect(await limiter.take(caller)).toHaveProperty('remaining', 98);
    },
  );
});
