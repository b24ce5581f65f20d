import { connectRedis } from '../../src/redis/connection.ts';
import { freePort } from './free-port.ts';
import { requireProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The server for suites that leave it running: TEST_REDIS_URL, or one of our own. */
export async function redisForSuites(): Promise<AsyncDisposable & { readonly url: string }> {
  const url = Bun.env['TEST_REDIS_URL'];
  if (url === undefined) return TestRedis.start();
  return { url, [Symbol.asyncDispose]: async () => {} };
}

/** Empties one of a server's numbered databases. */
export async function flushRedis(url: string): Promise<void> {
  const client = await connectRedis(url);
  await client.send('FLUSHDB', []);
  client.close();
}

/** A Redis of our own, in memory, on a free port of loopback. */
export class TestRedis implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly #folder = temporaryFolder();
  #server: Bun.Subprocess | undefined;

  private constructor(port: number) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort());
    await redis.start();
    return redis;
  }

  /** Starts it, or starts it again, empty, and waits until it answers. */
  async start(): Promise<void> {
    const server = requireProgram('redis-server', 'redis-server', 'or set TEST_REDIS_URL');
    const endingWithUs = [requireProgram('setpriv', 'util-linux'), '--pdeathsig', 'KILL'];
    // Bun sends SIGTERM to all children when a test times out, also to servers of other tests.
    const outlivingTests = [requireProgram('env', 'coreutils'), '--block-signal=TERM'];
    const options = ['--bind', '127.0.0.1', '--save', '', '--dir', this.#folder.path];
    this.#server = Bun.spawn(
      [...endingWithUs, ...outlivingTests, server, '--port', String(this.port), ...options],
      { stdout: 'ignore', stderr: 'ignore' },
    );
    for (let tries = 0; ; tries++) {
      try {
        (await connectRedis(this.url)).close();
        return;
      } catch (error) {
        if (tries > 200) throw error;
        await Bun.sleep(25);
      }
    }
  }

  /** For the next test, after one that stopped or froze it. */
  async startIfStopped(): Promise<void> {
    this.signal('SIGCONT');
    const isRunning = this.#server?.exitCode === null && this.#server.signalCode === null;
    if (!isRunning) await this.start();
  }

  async send(command: string, ...words: string[]): Promise<unknown> {
    const client = await connectRedis(this.url);
    try {
      return await client.send(command, words);
    } finally {
      client.close();
    }
  }

  async stop(): Promise<void> {
    this.#server?.kill('SIGKILL');
    await this.#server?.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.#server?.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#folder[Symbol.dispose]();
  }
}
