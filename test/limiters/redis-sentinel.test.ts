import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { lacks } from '../support/programs.ts';
import { rejection } from '../support/time.ts';
import { admittedInFailover, newCaller, openPatientLimiter, openRedisLimiter } from './limiters.ts';
import { TestSentinels } from './redis-sentinel.ts';

describe.skipIf(lacks('redis-server'))('with Redis Sentinel', () => {
  let sentinels: TestSentinels;
  beforeAll(async () => {
    sentinels = await TestSentinels.start();
  });
  afterAll(() => sentinels[Symbol.asyncDispose]());

  test('a start fails if the Sentinels do not know the master', async () => {
    const url = sentinels.url.replace(/[^/]*$/, 'unknown');
    const message = expect.stringContaining('The Sentinels do not know the master of REDIS_URL');
    expect(await rejection(openRedisLimiter({ url }))).toMatchObject({ message });
  });

  /** The next test needs the new master. */
  test('a failover admits no additional requests, and no request fails', async () => {
    const { url, master, replica } = sentinels;
    const count = await admittedInFailover({
      url,
      master,
      callerThere: (perDay) => newCaller(1_000_000, perDay),
      inFlight: 50,
      failOver: () => sentinels.failOver(),
    });
    expect(String(await replica.send('ROLE'))).toStartWith('master');
    // Redis and the instance may both have counted a request that was in flight.
    expect(count).toBeWithin(1_000 - 4 * 70, 1_001);
  });

  async function expectUsable(url: string): Promise<void> {
    await using opened = await openPatientLimiter({ url });
    expect(await opened.limiter.take(newCaller(5, 5))).toHaveProperty('remaining', 4);
  }

  test('of several Sentinels, the one with the newest master is right', async () => {
    const url = await sentinels.urlWithStaleSentinel();
    await expectUsable(url);
  });

  test('a Sentinel can have a password, and a start fails if it is wrong', async () => {
    const url = await sentinels.urlWithPassword(sentinels.replica, 'a/b@c');
    await expectUsable(url);
    const message = expect.stringContaining('WRONGPASS');
    expect(await rejection(openRedisLimiter({ url: `${url}x` }))).toMatchObject({ message });
  });
});
