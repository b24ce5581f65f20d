import { RedisClient } from 'bun';
import { connectError } from './redis-url.ts';

const CONNECT_MS = 2_000;
/** A server is away after this long without a response. Virtual machines often pause for less. */
const SILENCE_MS = 1_000;
const SILENT_TICKS = 10;

/** An open connection to a Redis server, or to all masters of a cluster. */
export interface RedisLink {
  /** A name to count under on each server, to check that all of them work. */
  readonly probeSubjects: readonly string[];
  /** Called when a connection closes, or a server keeps requests waiting in silence. */
  onclose: (error: Error) => void;
  /** Scripts can use several names only if these have the same slot. */
  slotOf(name: string): number;
  /** Sends a command about the Redis key `name` to the server that has it. */
  send<T>(name: string, command: string, words: string[]): Promise<T>;
  close(): void;
}

/** One connection to one server. It does not reconnect: its owner opens another. */
export class RedisServer implements RedisLink {
  readonly #client: RedisClient;
  readonly #watch: NodeJS.Timeout;
  readonly probeSubjects = ['probe'];
  onclose: (error: Error) => void = () => {};
  #pending = 0;
  #silentTicks = 0;

  private constructor(client: RedisClient, silenceMs: number) {
    this.#client = client;
    this.#watch = setInterval(() => this.#tick(), silenceMs / SILENT_TICKS);
    client.onclose = (error) => this.onclose(error);
  }

  static async connect(url: string, silenceMs = SILENCE_MS): Promise<RedisServer> {
    const client = new RedisClient(url, {
      connectionTimeout: CONNECT_MS,
      autoReconnect: false,
      enableOfflineQueue: false,
    });
    try {
      await client.connect();
      return new RedisServer(client, silenceMs);
    } catch {
      client.close();
      throw await connectError(url);
    }
  }

  slotOf(): number {
    return 0;
  }

  async send<T>(_name: string, command: string, words: string[]): Promise<T> {
    this.#pending++;
    try {
      return await this.#client.send(command, words);
    } finally {
      this.#pending--;
      this.#silentTicks = 0;
    }
  }

  /** A pause of this process is one tick, however long it was. */
  #tick(): void {
    this.#silentTicks = this.#pending === 0 ? 0 : this.#silentTicks + 1;
    if (this.#silentTicks <= SILENT_TICKS) return;
    this.onclose(new Error('Redis is silent while requests wait'));
    this.close();
  }

  close(): void {
    clearInterval(this.#watch);
    this.#client.close();
  }
}
