import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Caller } from '#domain/rate-limit.ts';
import { hashSlot } from '#limiters/redis/cluster.ts';
import { freePort, lacks } from '../support/programs.ts';
import { createRedisUser, REDIS_USER, TestRedis } from '../support/redis.ts';
import { eventually, succeeds } from '../support/time.ts';
import {
  admitted,
  admittedBy,
  admittedInFailover,
  newCaller,
  openConnectedLimiter,
  openFour,
  takeAll,
  testName,
  withoutKey,
} from './limiters.ts';

const SLOTS = 16_384;
const SLOTS_EACH = Math.ceil(SLOTS / 3);

/** Three masters of a Redis Cluster, and a replica of the first. */
class TestCluster implements AsyncDisposable {
  private constructor(
    readonly url: string,
    readonly masters: readonly TestRedis[],
    readonly replica: TestRedis,
  ) {}

  static async start(): Promise<TestCluster> {
    const nodes: TestRedis[] = [];
    for (let i = 0; i < 4; i++) {
      const busPort = String(await freePort());
      const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
      // The other masters continue, so that an instance must itself notice that one is silent.
      const coverage = ['--cluster-require-full-coverage', 'no'];
      const words = [...options, ...coverage, '--cluster-port', busPort];
      const node = await TestRedis.start(...words);
      await createRedisUser(node, 'cluster');
      nodes.push(node);
    }
    const [first, ...others] = nodes as [TestRedis, ...TestRedis[]];
    const masters = nodes.slice(0, 3);
    const replica = nodes[3] as TestRedis;
    for (const [index, master] of masters.entries()) {
      const last = Math.min(SLOTS, (index + 1) * SLOTS_EACH) - 1;
      await master.send('CLUSTER', 'ADDSLOTSRANGE', String(index * SLOTS_EACH), String(last));
      await master.send('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    }
    const { 'cluster-port': busPort } = (await first.send('CONFIG', 'GET', 'cluster-port')) as {
      'cluster-port': string;
    };
    for (const node of others) {
      await node.send('CLUSTER', 'MEET', '127.0.0.1', String(first.port), busPort);
    }
    const firstId = String(await first.send('CLUSTER', 'MYID'));
    await eventually(() => succeeds(replica.send('CLUSTER', 'REPLICATE', firstId)));
    await eventually(async () => {
      for (const node of nodes) {
        const info = String(await node.send('CLUSTER', 'INFO'));
        if (!/cluster_state:ok.*cluster_known_nodes:4/s.test(info)) return false;
      }
      const replication = String(await replica.send('INFO', 'replication'));
      return replication.includes('master_link_status:up');
    });
    // On a busy machine, a node may be silent for longer than at the start.
    for (const node of nodes) await node.send('CONFIG', 'SET', 'cluster-node-timeout', '60000');
    const hosts = masters.map(({ port }) => `127.0.0.1:${port}`).join();
    return new TestCluster(`redis+cluster://${REDIS_USER}@${hosts}`, masters, replica);
  }

  /** Which of the masters had the slot at the start. */
  indexOf(slot: number): number {
    return Math.floor(slot / SLOTS_EACH);
  }

  /** Stops the first master. Its replica takes its place at once, without the votes of the others. */
  async failOver(): Promise<void> {
    await this.masters[0]?.stop();
    await this.replica.send('CLUSTER', 'FAILOVER', 'TAKEOVER');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of [...this.masters, this.replica]) await node[Symbol.asyncDispose]();
  }
}

describe.skipIf(lacks('redis-server'))('with a Redis Cluster', () => {
  /** The user has the rights that docs/scaling.md prints. The tests run in order: the last one loses a master. */
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  function slotOf(caller: Caller) {
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
    const limiters = await openFour(resources, cluster.url);
    // No script can use names in different slots together.
    const counts = [0, 1, 2].map((master) =>
      admittedBy(limiters, withoutKey(callerOn(master, 100)), 250),
    );
    expect(await Promise.all(counts)).toEqual([100, 100, 100]);
  });

  test('the slot of a name is the one that Redis computes', async () => {
    for (const name of ['a', 'account:1', 'x{account:1}y', '{}a', 'a{b', 'é{ü}']) {
      expect(await cluster.replica.send('CLUSTER', 'KEYSLOT', name)).toBe(hashSlot(name));
    }
  });

  test('accounts stay exact while their slot moves to another master', async () => {
    await using resources = new AsyncDisposableStack();
    const limiters = await openFour(resources, cluster.url);
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
      const count = await admittedInFailover({
        url: cluster.url,
        master: cluster.masters[0] as TestRedis,
        callerThere: (perDay) => callerOn(0, perDay),
        inFlight: 0,
        failOver: () => cluster.failOver(),
      });
      // Redis may have counted requests in flight that their instances counted too.
      expect(count).toBeWithin(900, 1_001);
    });
  });
});
