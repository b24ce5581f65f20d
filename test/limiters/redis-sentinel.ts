import { writeFileSync } from 'node:fs';
import { freePort } from '../support/programs.ts';
import { createRedisUser, REDIS_USER, sendRedis, spawnRedis, TestRedis } from '../support/redis.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually, succeeds } from '../support/time.ts';

const MASTER_NAME = 'limits';

/** A master, its replica, and three Sentinels that watch both. */
export class TestSentinels implements AsyncDisposable {
  readonly #resources: AsyncDisposableStack;

  private constructor(
    readonly url: string,
    readonly master: TestRedis,
    readonly replica: TestRedis,
    /** The ports of the Sentinels. */
    readonly ports: readonly number[],
    resources: AsyncDisposableStack,
  ) {
    this.#resources = resources;
  }

  static async start(): Promise<TestSentinels> {
    await using starting = new AsyncDisposableStack();
    const master = starting.use(await TestRedis.start());
    const ofMaster = ['--replicaof', `127.0.0.1 ${master.port}`];
    const atOnce = ['--repl-diskless-sync-delay', '0'];
    const replica = starting.use(await TestRedis.start(...ofMaster, ...atOnce));
    for (const server of [master, replica]) await createRedisUser(server, 'server');
    await eventually(async () =>
      String(await replica.send('INFO', 'replication')).includes('master_link_status:up'),
    );
    const ports: number[] = [];
    for (let i = 0; i < 3; i++) ports.push(await startSentinel(starting, master));
    for (const port of ports) {
      await eventually(async () => {
        const known = await masterKnownTo(port);
        return known?.['num-other-sentinels'] === '2' && known['num-slaves'] === '1';
      });
    }
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
    const url = `redis+sentinel://${REDIS_USER}@${hosts}/${MASTER_NAME}`;
    return new TestSentinels(url, master, replica, ports, starting.move());
  }

  /** Stops the master, and has a Sentinel put the replica in its place. */
  async failOver(): Promise<void> {
    await this.master.stop();
    await eventually(() =>
      succeeds(
        sendRedis(`redis://127.0.0.1:${this.ports[0]}`, 'SENTINEL', 'FAILOVER', MASTER_NAME),
      ),
    );
  }

  /** The address, with a Sentinel in front that only knows the old master. */
  async urlWithStaleSentinel(): Promise<string> {
    const port = await startSentinel(this.#resources, this.master);
    return this.url.replace('@', `@127.0.0.1:${port},`);
  }

  /** The address of a Sentinel that has a password and only allows what the service needs. */
  async urlWithPassword(master: TestRedis, password: string): Promise<string> {
    const port = await startSentinel(this.#resources, master);
    const rules = ['reset', 'on', `>${password}`, '+sentinel|master'];
    await sendRedis(`redis://127.0.0.1:${port}`, 'ACL', 'SETUSER', 'default', ...rules);
    const text = `redis+sentinel://${REDIS_USER}@127.0.0.1:${port}/${MASTER_NAME}`;
    return `${text}?sentinelPassword=${encodeURIComponent(password)}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** Returns the port of a further Sentinel. */
async function startSentinel(resources: AsyncDisposableStack, master: TestRedis): Promise<number> {
  const port = await freePort();
  const { folder, path: file } = newFile();
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${folder}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${master.port} 2`,
    // A busy machine must not cause a failover.
    `sentinel down-after-milliseconds ${MASTER_NAME} 60000`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
  ];
  writeFileSync(file, lines.join('\n'));
  const server = spawnRedis([file, '--sentinel']);
  resources.defer(async () => {
    server.kill('SIGKILL');
    await server.exited;
  });
  await eventually(async () => (await masterKnownTo(port)) !== undefined);
  return port;
}

async function masterKnownTo(port: number): Promise<Record<string, string> | undefined> {
  const asked = sendRedis(`redis://127.0.0.1:${port}`, 'SENTINEL', 'MASTER', MASTER_NAME);
  return asked.catch(() => undefined) as Promise<Record<string, string> | undefined>;
}
