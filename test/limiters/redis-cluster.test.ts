import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Caller } from '../../src/domain/rate-limit.ts';
import { hashSlot } from '../../src/limiters/redis/cluster.ts';
import { lacks } from '../support/programs.ts';
import type { TestRedis } from '../support/redis.ts';
import { eventually } from '../support/time.ts';
import {
  admitted,
  newCaller,
  openConnectedLimiter,
  openPatientLimiter,
  takeAll,
  testName,
  withoutKey,
} from './limiters.ts';
import { TestCluster } from './redis-cluster.ts';

describe.skipIf(lacks('redis-server'))('with a Redis Cluster', () => {
  /** The user has the rights that docs/scaling.md prints. The tests run in order: the last one loses a master. */
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  async function openFour(resources: AsyncDisposableStack, openOne = openPatientLimiter) {
    const options = { url: cluster.url, instances: 4 };
    const opened = await Promise.all([1, 2, 3, 4].map(() => openOne(options)));
    return opened.map((instance) => resources.use(instance));
  }

  function slotOf(caller: Caller): number {
    return hashSlot(testName(caller));
  }

  /** A caller whose counts are on the given master. */
  function callerOn(master: number, perDay: number) {
    for (;;) {
      const caller = newCaller(1_000_000, perDay);
      if (cluster.indexOf(slotOf(caller)) === master) return caller;
    }
  }

  test('four instances admit exactly the limit, for accounts on every master', async () => {
    await using resources = new AsyncDisposableStack();
    const limiters = await openFour(resources);
    for (const master of [0, 1, 2]) {
      const caller = withoutKey(callerOn(master, 100));
      const sent = limiters.map(({ limiter }) => takeAll(limiter, caller, 250));
      expect(admitted((await Promise.all(sent)).flat())).toBe(100);
    }
  });

  test('accounts stay exact while their slot moves to another master', async () => {
    await using resources = new AsyncDisposableStack();
    const limiters = await openFour(resources);
    const caller = callerOn(1, 900_000);
    // Requests of both share a script, which cannot run while the two are on different masters.
    let neighbor = caller;
    do neighbor = newCaller(1_000_000, 900_000);
    while (slotOf(neighbor) !== slotOf(caller));
    const slot = String(slotOf(caller));
    const [, owner, other] = cluster.masters as [TestRedis, TestRedis, TestRedis];
    const ownerId = String(await owner.send('CLUSTER', 'MYID'));
    const otherId = String(await other.send('CLUSTER', 'MYID'));
    let count = 0;
    let isMoving = true;
    const load = limiters.map(async ({ limiter }) => {
      while (isMoving) {
        const taken = [caller, neighbor].map((each) => takeAll(limiter, each, 5));
        const [decisions = []] = await Promise.all(taken);
        count += admitted(decisions);
      }
    });
    await eventually(() => count > 100);
    await other.send('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ownerId);
    await owner.send('CLUSTER', 'SETSLOT', slot, 'MIGRATING', otherId);
    const move = (name: string) =>
      owner.send('MIGRATE', '127.0.0.1', String(other.port), name, '0', '5000');
    await move(testName(caller));
    await eventually(async () =>
      String(await owner.send('INFO', 'errorstats')).includes('TRYAGAIN'),
    );
    await move(testName(neighbor));
    await eventually(async () => {
      const statistics = String(await other.send('INFO', 'commandstats'));
      return /cmdstat_asking:calls=[1-9].*,rejected_calls=0,/.test(statistics);
    });
    for (const node of [other, owner]) {
      await node.send('CLUSTER', 'SETSLOT', slot, 'NODE', otherId);
    }
    const before = count;
    await eventually(() => count > before + 100);
    isMoving = false;
    await Promise.all(load);
    for (const each of [caller, neighbor]) {
      const used = await limiters[0]?.limiter.getCounts(each.subject);
      expect(used).toHaveProperty('dayUsed', count);
    }
  });

  describe('a master that', () => {
    test('freezes is noticed while the others respond', async () => {
      const [, , frozen] = cluster.masters;
      await using opened = await openConnectedLimiter({ url: cluster.url, instances: 4 });
      const [healthy, stuck] = [callerOn(0, 1_000), callerOn(2, 1_000)];
      await opened.limiter.take(stuck);
      frozen?.signal('SIGSTOP');
      try {
        const decision = opened.limiter.take(stuck);
        await eventually(async () => {
          await opened.limiter.take(healthy);
          return Bun.peek.status(decision) !== 'pending';
        });
        expect(await decision).not.toHaveProperty('refusedBy');
        expect(opened.events).toEqual(['away']);
      } finally {
        frozen?.signal('SIGCONT');
      }
      await eventually(() => opened.events.includes('back'));
    });

    test('dies is replaced by its replica, and four instances admit at most the limit', async () => {
      await using resources = new AsyncDisposableStack();
      const instances = await openFour(resources, openConnectedLimiter);
      const caller = withoutKey(callerOn(0, 1_000));
      const send = async (count: number) => {
        const sent = instances.map(({ limiter }) => takeAll(limiter, caller, count));
        return admitted((await Promise.all(sent)).flat());
      };
      let count = await send(20);
      // Nothing of this account is in flight.
      const quiet = callerOn(0, 1_000);
      for (const { limiter } of instances) await takeAll(limiter, quiet, 5);
      await cluster.masters[0]?.send('WAIT', '1', '0');
      await cluster.failOver();
      await eventually(async () => {
        count += await send(2);
        return instances.every(({ events }) => events.includes('back'));
      });
      expect(await instances[0]?.limiter.take(quiet)).toHaveProperty('remaining', 1_000 - 21);
      count += await send(1_000);
      // Redis may have counted requests in flight that their instances counted too.
      expect(count).toBeWithin(900, 1_001);
    });
  });
});
