import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './command.ts';
import { freePort } from './free-port.ts';
import { sendRedis, spawnRedis, TestRedis } from './redis.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MASTER_NAME = 'limits';

/** A master, its replica, and three Sentinels that watch both. */
export class TestSentinels implements AsyncDisposable {
  readonly master: TestRedis;
  readonly replica: TestRedis;
  readonly url: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(
    master: TestRedis,
    replica: TestRedis,
    ports: readonly number[],
    resources: AsyncDisposableStack,
  ) {
    this.master = master;
    this.replica = replica;
    this.url = `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join()}/${MASTER_NAME}`;
    this.#resources = resources;
  }

  static async start(): Promise<TestSentinels> {
    await using starting = new AsyncDisposableStack();
    const master = starting.use(await TestRedis.start());
    const replica = starting.use(
      await TestRedis.start(
        '--replicaof',
        `127.0.0.1 ${master.port}`,
        '--repl-diskless-sync-delay',
        '0',
      ),
    );
    await eventually(async () =>
      String(await replica.send('INFO', 'replication')).includes('master_link_status:up'),
    );
    const folder = starting.use(temporaryFolder());
    const ports = [await freePort(), await freePort(), await freePort()];
    for (const port of ports) {
      const file = join(folder.path, `${port}.conf`);
      const lines = [
        'bind 127.0.0.1',
        `port ${port}`,
        `dir ${folder.path}`,
        `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${master.port} 2`,
        `sentinel down-after-milliseconds ${MASTER_NAME} 1000`,
        `sentinel failover-timeout ${MASTER_NAME} 5000`,
      ];
      writeFileSync(file, lines.join('\n'));
      const server = spawnRedis(file, '--sentinel');
      starting.defer(async () => {
        server.kill('SIGKILL');
        await server.exited;
      });
    }
    for (const port of ports) {
      await eventually(async () => {
        const known = (await sendRedis(
          `redis://127.0.0.1:${port}`,
          'SENTINEL',
          'MASTER',
          MASTER_NAME,
        ).catch(() => ({}))) as Record<string, string>;
        return known['num-other-sentinels'] === '2' && known['num-slaves'] === '1';
      });
    }
    return new TestSentinels(master, replica, ports, starting.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}
