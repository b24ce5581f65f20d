import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RedisClient } from 'bun';
import { freePort, killedWithTests, requireProgram, sharedServer } from './programs.ts';
import { newFile } from './temporary-folder.ts';
import { eventually } from './time.ts';

/** Empties a database of the server that all tests share, and returns its URL. */
export function newRedisDatabase(): Promise<string> {
  return emptyDatabase(sharedServer('TEST_REDIS_URL'));
}

export async function sendRedis(url: string, command: string, ...args: string[]): Promise<unknown> {
  const client = new RedisClient(url, { autoReconnect: false });
  try {
    return await client.send(command, args);
  } finally {
    client.close();
  }
}

/** A counter in database 0 gives each test a different database, across processes. */
async function emptyDatabase(url: string) {
  const { databases } = (await sendRedis(url, 'CONFIG', 'GET', 'databases')) as {
    databases: string;
  };
  const count = Number(await sendRedis(url, 'INCR', 'animal-store-test-databases'));
  const database = `${url}/${1 + (count % (Number(databases) - 1))}`;
  await sendRedis(database, 'FLUSHDB');
  return database;
}

export function spawnRedis(words: readonly string[]): Bun.Subprocess {
  const program = requireProgram('redis-server');
  // When a test times out, Bun sends SIGTERM to all children, including servers of other tests.
  const ignoringSigterm = process.platform === 'linux' ? ['env', '--block-signal=TERM'] : [];
  return Bun.spawn([...killedWithTests('KILL'), ...ignoringSigterm, program, ...words], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
}

/** A Redis server without persistence, on a free loopback port. */
export class TestRedis implements AsyncDisposable {
  readonly url: string;
  readonly #folder = newFile().folder;
  readonly #options: readonly string[];
  #server: Bun.Subprocess | undefined;

  private constructor(
    readonly port: number,
    options: readonly string[],
  ) {
    this.url = `redis://127.0.0.1:${port}`;
    this.#options = options;
  }

  static async start(...options: string[]): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), options);
    await redis.start();
    return redis;
  }

  /** Starts or restarts the server, empty, and waits until it responds. */
  async start(): Promise<void> {
    const options = ['--bind', '127.0.0.1', '--save', '', '--databases', '1000'];
    const location = ['--port', String(this.port), '--dir', this.#folder];
    const server = spawnRedis([...location, ...options, ...this.#options]);
    this.#server = server;
    await eventually(async () => {
      if (server.exitCode !== null) throw new Error(`Redis exited with ${server.exitCode}`);
      const { dir } = (await this.send('CONFIG', 'GET', 'dir').catch(() => ({}))) as {
        dir?: string;
      };
      return dir === this.#folder;
    });
  }

  /** Restores the server after a test that stopped or froze it. */
  async startIfStopped(): Promise<void> {
    this.signal('SIGCONT');
    const isRunning = this.#server?.exitCode === null && this.#server.signalCode === null;
    if (!isRunning) await this.start();
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  send(command: string, ...args: string[]): Promise<unknown> {
    return sendRedis(this.url, command, ...args);
  }

  /** Empties a numbered database that no other test uses, and returns its URL. */
  newDatabase(): Promise<string> {
    return emptyDatabase(this.url);
  }

  async stop(): Promise<void> {
    this.#server?.kill('SIGKILL');
    await this.#server?.exited;
  }

  /** The server loses what it has not saved. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  signal(signal: NodeJS.Signals): void {
    this.#server?.kill(signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

const DOCUMENT = join(import.meta.dir, '../../docs/scaling.md');

/** The user and password of `createRedisUser`, for a URL. */
export const REDIS_USER = 'limiter:secret';

/** Creates a user with exactly the rights that docs/scaling.md prints. */
export async function createRedisUser(redis: TestRedis, kind: 'server' | 'cluster'): Promise<void> {
  const printed = readFileSync(DOCUMENT, 'utf8').matchAll(/`([~+][^`]+)`/g);
  const lists = Array.from(printed, ([, rules = '']) => rules.replaceAll('\\|', '|').split(' '));
  if (lists.length !== 2) throw new Error('docs/scaling.md must print two lists of rules');
  const rules = kind === 'server' ? lists[0] : lists.flat();
  await redis.send('ACL', 'SETUSER', 'limiter', 'reset', 'on', '>secret', ...(rules ?? []));
}
