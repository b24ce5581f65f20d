import { freePort } from '../support/programs.ts';
import { createRedisUser, REDIS_USER, TestRedis } from '../support/redis.ts';
import { eventually, succeeds } from '../support/time.ts';

const SLOTS = 16_384;
const SLOTS_EACH = Math.ceil(SLOTS / 3);

/** Three masters of a Redis Cluster, and a replica of the first. */
export class TestCluster implements AsyncDisposable {
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
      // The other masters go on, so that an instance must notice a silent one itself.
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
