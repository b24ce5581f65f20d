import { RedisClient } from 'bun';
import { connectError, explained } from './redis-url.ts';

const CONNECT_MS = 2_000;

/** An open connection to a Redis server, or to all masters of a cluster. */
export interface RedisLink {
  /** A name to count under on each server, to check that all of them work. */
  readonly probeSubjects: readonly string[];
  /** Called when a connection closes. */
  onclose: (error: Error) => void;
  /** Scripts can use several names only if these have the same slot. */
  slotOf(name: string): number;
  /** Sends a command about the Redis key `name` to the server that has it. */
  send<T>(name: string, command: string, words: string[]): Promise<T>;
  /**
   * Called regularly. Returns for how many calls a server has kept requests waiting and sent
   * nothing. A pause of this process is one call, however long it was.
   */
  tick(): number;
  close(): void;
}

/** Fails when no response comes in time. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Bun.sleep(milliseconds).then(() => {
    throw new Error(`Redis did not respond within ${milliseconds} ms`);
  });
  return Promise.race([work, late]);
}

/** One connection to one server. It does not reconnect: its owner opens another. */
export class RedisServer implements RedisLink {
  readonly #client: RedisClient;
  readonly probeSubjects = ['probe'];
  #pending = 0;
  #silentTicks = 0;

  private constructor(client: RedisClient) {
    this.#client = client;
  }

  static async connect(url: string): Promise<RedisServer> {
    const client = new RedisClient(url, {
      connectionTimeout: CONNECT_MS,
      autoReconnect: false,
      enableOfflineQueue: false,
    });
    try {
      await within(CONNECT_MS, client.connect());
      return new RedisServer(client);
    } catch {
      client.close();
      throw explained(await connectError(url));
    }
  }

  set onclose(listener: (error: Error) => void) {
    this.#client.onclose = listener;
  }

  slotOf(): number {
    return 0;
  }

  async send<T>(_name: string, command: string, words: string[]): Promise<T> {
    this.#pending++;
    try {
      return await this.#client.send(command, words);
    } catch (error) {
      throw explained(error);
    } finally {
      this.#pending--;
      this.#silentTicks = 0;
    }
  }

  tick(): number {
    if (this.#pending > 0) return ++this.#silentTicks;
    // A machine that loses power closes no connection: only a request shows that it is gone.
    this.send('', 'TIME', []).catch(() => {});
    return 0;
  }

  close(): void {
    this.#client.close();
  }
}
