import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { OperatorError } from '../../src/domain/error.ts';
import { connectRedis } from '../../src/limiters/redis/connection.ts';
import { RedisCounts } from '../../src/limiters/redis/counts.ts';
import { newCaller } from '../support/callers.ts';
import { eventually } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { sendRedis, TestRedis } from '../support/redis.ts';
import { openRedisLimiter, STORE_ID, TEST_NAMES } from '../support/redis-limiter.ts';
import { createRedisUser, REDIS_USER } from '../support/redis-user.ts';
import { rejection } from '../support/rejection.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await TestRedis.start();
});
beforeEach(() => redis.startIfStopped());
afterAll(() => redis[Symbol.asyncDispose]());

function urlWith(user: string): string {
  return redis.url.replace('//', `//${user}@`);
}

/** Opens a limiter and records why Redis is away. */
async function open(url = redis.url) {
  const reasons: string[] = [];
  const onAway = (error: unknown) => reasons.push((error as Error).message);
  return { ...(await openRedisLimiter({ url, onAway })), reasons };
}

describe('a start fails with the words of Redis', () => {
  async function startError(url: string): Promise<string> {
    const error = await rejection(openRedisLimiter({ url }));
    expect(error).toBeInstanceOf(OperatorError);
    return (error as Error).message;
  }

  test('if the password is wrong, if it is missing, and if there should be none', async () => {
    const wrong = 'Redis refused the user or the password of REDIS_URL (WRONGPASS ';
    expect(await startError(urlWith('nobody:hunter2'))).toContain(wrong);
    await redis.send('CONFIG', 'SET', 'requirepass', 'right');
    try {
      const message = await startError(urlWith(':hunter2'));
      expect(message).toStartWith('Cannot use Redis at 127.0.0.1:');
      expect(message).toContain(wrong);
      expect(message).not.toContain('hunter2');
      expect(await startError(redis.url)).toContain('Redis requires a password, and REDIS_URL has');
      await using opened = await open(urlWith(':right'));
      expect(await opened.limiter.take(newCaller(5, 5))).toHaveProperty('remaining', 4);
    } finally {
      await redis.stop();
    }
  });

  test('if the database does not exist', async () => {
    expect(await startError(`${redis.url}/5000`)).toContain('does not have the database');
  });

  test('if the user may not run scripts, and the rules in docs/scaling.md are enough', async () => {
    await redis.send('ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '+@read', '+hello');
    expect(await startError(urlWith('reader:secret'))).toContain('may not run the script');
    await createRedisUser(redis, 'server');
    const url = `${urlWith(REDIS_USER)}/3`;
    await using opened = await open(url);
    const caller = newCaller(5, 5);
    await sendRedis(`${redis.url}/3`, 'SET', TEST_NAMES.usage(caller.subject), 'not a hash');
    expect(await opened.limiter.take(caller)).toHaveProperty('remaining', 4);
    expect(opened.reasons).toEqual([]);
    const link = await connectRedis(url);
    const reader = new RedisCounts(link, STORE_ID);
    expect(await reader.getUsage(caller.subject)).toHaveProperty('dayUsed', 1);
    link.close();
  });

  test('if the server is a node of a cluster', async () => {
    const busPort = String(await freePort());
    await using node = await TestRedis.start(
      ...['--cluster-enabled', 'yes', '--cluster-port'],
      busPort,
    );
    expect(await startError(node.url)).toContain('a node of a cluster: use redis+cluster://');
  });

  test('if the servers of a Sentinel address are not Sentinels, also if the first is away', async () => {
    const url = redis.url.replace('redis://', 'redis+sentinel://127.0.0.1:1,');
    expect(await startError(`${url}/limits`)).toContain('are not Sentinels (ERR unknown command');
  });

  test('if the password of a cluster is wrong, also if the first node is away', async () => {
    const url = urlWith('nobody:hunter2').replace('redis:', 'redis+cluster:');
    expect(await startError(url.replace('@', '@127.0.0.1:1,'))).toContain('WRONGPASS');
  });

  test('if the server of a cluster address is not a node of a cluster', async () => {
    const url = redis.url.replace('redis:', 'redis+cluster:');
    expect(await startError(url)).toContain('Redis is not a node of a cluster');
  });
});

describe('limits continue in process, and the log says why', () => {
  /** Causes a refusal, checks the reason, and ends it. */
  async function away(begin: () => Promise<unknown>, reason: string, end: () => Promise<unknown>) {
    await using opened = await open();
    const { limiter, events, reasons } = opened;
    const caller = newCaller(100, 100);
    await limiter.take(caller);
    await begin();
    await eventually(async () => {
      expect(await limiter.take(newCaller(5, 5))).not.toHaveProperty('refusedBy');
      return reasons.some((text) => text.includes(reason));
    });
    expect(reasons.filter((text) => text.includes(reason))).toHaveLength(1);
    await end();
    await eventually(() => events.includes('back'));
    expect(await limiter.take(caller)).toHaveProperty('remaining', 98);
  }

  test('NOAUTH: the server gets a password', async () => {
    const begin = async () => {
      await redis.send('CONFIG', 'SET', 'requirepass', 'new');
      await sendRedis(urlWith(':new'), 'CLIENT', 'KILL', 'TYPE', 'normal');
    };
    const end = () => sendRedis(urlWith(':new'), 'CONFIG', 'SET', 'requirepass', '');
    await away(begin, 'Redis requires a password', end);
  });

  test('READONLY: the server becomes a replica', async () => {
    await using master = await TestRedis.start();
    await away(
      () => redis.send('REPLICAOF', '127.0.0.1', String(master.port)),
      'Redis refused: READONLY ',
      () => redis.send('REPLICAOF', 'NO', 'ONE'),
    );
  });

  test('MASTERDOWN: the server is a replica without a master', async () => {
    await redis.send('CONFIG', 'SET', 'replica-serve-stale-data', 'no');
    await away(
      () => redis.send('REPLICAOF', '127.0.0.1', '1'),
      'Redis refused: MASTERDOWN ',
      () => redis.send('REPLICAOF', 'NO', 'ONE'),
    );
  });

  test('OOM: the server has no memory left', async () => {
    await away(
      () => redis.send('CONFIG', 'SET', 'maxmemory', '1'),
      'Redis refused: OOM ',
      () => redis.send('CONFIG', 'SET', 'maxmemory', '0'),
    );
  });

  test('NOREPLICAS: the server has too few replicas', async () => {
    await away(
      () => redis.send('CONFIG', 'SET', 'min-replicas-to-write', '1'),
      'Redis refused: NOREPLICAS ',
      () => redis.send('CONFIG', 'SET', 'min-replicas-to-write', '0'),
    );
  });

  test('LOADING: the server is still loading its data', async () => {
    const slowly = ['--loading-process-events-interval-bytes', '1024', '--key-load-delay', '20000'];
    await using slow = await TestRedis.start(...slowly);
    const value = 'x'.repeat(2_000);
    for (let i = 0; i < 100; i++) await slow.send('SET', `key:${i}`, value);
    await slow.send('SAVE');
    await using opened = await open(slow.url);
    await slow.stop();
    await slow.start();
    await eventually(() => opened.reasons.some((text) => text.includes('Redis refused: LOADING ')));
    await eventually(() => opened.events.includes('back'));
  });
});
