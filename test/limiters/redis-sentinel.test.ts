import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OperatorError } from '../../src/domain/error.ts';
import { lacks } from '../support/programs.ts';
import { eventually, rejection } from '../support/time.ts';
import {
  admittedBy,
  newCaller,
  openConnectedLimiter,
  openPatientLimiter,
  openRedisLimiter,
  takeAll,
  withoutKey,
} from './limiters.ts';
import { TestSentinels } from './redis-sentinel.ts';

const LIMIT = 1_000;

describe.skipIf(lacks('redis-server'))('with Redis Sentinel', () => {
  let sentinels: TestSentinels;
  beforeAll(async () => {
    sentinels = await TestSentinels.start();
  });
  afterAll(() => sentinels[Symbol.asyncDispose]());

  test('a start fails if the Sentinels do not know the master', async () => {
    const url = sentinels.url.replace(/[^/]*$/, 'unknown');
    const error = await rejection(openRedisLimiter({ url }));
    expect(error).toBeInstanceOf(OperatorError);
    expect((error as Error).message).toContain('The Sentinels do not know the master of REDIS_URL');
  });

  /** The next test needs the new master. */
  test('a failover adds no requests, and fails none', async () => {
    await using resources = new AsyncDisposableStack();
    const opened = [1, 2, 3, 4].map(() =>
      openConnectedLimiter({ url: sentinels.url, instances: 4 }),
    );
    const instances = (await Promise.all(opened)).map((instance) => resources.use(instance));
    const caller = withoutKey(newCaller(1_000_000, LIMIT));
    const send = (count: number) => admittedBy(instances, caller, count);
    // Nothing of this account is in flight.
    const quiet = newCaller(LIMIT, LIMIT);
    for (const { limiter } of instances) await takeAll(limiter, quiet, 5);
    await sentinels.master.send('WAIT', '1', '0');
    let count = await send(20);
    const burst = send(50);
    await sentinels.failOver();
    count += await burst;
    await eventually(async () => {
      count += await send(2);
      return instances.every(({ events }) => events.includes('back'));
    });
    expect(String(await sentinels.replica.send('ROLE'))).toStartWith('master');
    expect(await instances[0]?.limiter.take(quiet)).toHaveProperty('remaining', LIMIT - 21);
    count += await send(LIMIT);
    // Redis and the instance may both have counted a request that was in flight.
    expect(count).toBeWithin(LIMIT - 4 * 70, LIMIT + 1);
  });

  test('of several Sentinels, the one with the newest master is right', async () => {
    const url = await sentinels.urlWithStaleSentinel();
    await using opened = await openPatientLimiter({ url });
    expect(await opened.limiter.take(newCaller(5, 5))).toHaveProperty('remaining', 4);
  });

  test('a Sentinel can have a password, and a start fails if it is wrong', async () => {
    const url = await sentinels.urlWithPassword(sentinels.replica, 'a/b@c');
    await using opened = await openPatientLimiter({ url });
    expect(await opened.limiter.take(newCaller(5, 5))).toHaveProperty('remaining', 4);
    const error = await rejection(openRedisLimiter({ url: `${url}x` }));
    expect((error as Error).message).toContain('WRONGPASS');
  });
});
