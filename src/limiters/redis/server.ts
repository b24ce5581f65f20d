import { RedisClient } from 'bun';
import { withDeadline } from '#timing/deadline.ts';
import { connectError, explained } from './redis-url.ts';

const RESPONSE_MS = 2_000;

/** A part of a command. Each costs the client a fifth of a microsecond, so many numbers are sent as one. */
export type Word = string | Float64Array;

/** An open connection to a Redis server (`RedisServer`), or to all masters of a cluster (`RedisCluster`). */
export interface RedisLink {
  /** One subject for each server. Counting requests of these subjects shows that all servers work. */
  readonly probeSubjects: readonly string[];
  /** Called when a connection closes. */
  onclose: (error: Error) => void;
  /** A script can use several names only if all of them have the same slot. */
  slotOf(name: string): number;
  /** Sends a command about the Redis key `name` to the server that has it. */
  send<T>(name: string, command: string, words: Word[]): Promise<T>;
  /**
   * Called at regular intervals. Returns the number of calls since a server last sent anything, while
   * requests were waiting for it. Calls are counted instead of time because this process may have been
   * paused: that is one call, however long it was.
   */
  tick(): number;
  close(): void;
}

/** Waits for a response of Redis, and throws if it does not arrive in time. */
export function within<T>(response: Promise<T>, milliseconds = RESPONSE_MS): Promise<T> {
  const late = () => new Error(`Redis did not respond within ${milliseconds} ms`);
  return withDeadline(milliseconds, response, late);
}

/** One connection to one server. It does not reconnect: its owner opens another one. */
export class RedisServer implements RedisLink {
  readonly probeSubjects = ['probe'];
  #pending = 0;
  #silentTicks = 0;

  private constructor(private readonly client: RedisClient) {}

  static async connect(url: string): Promise<RedisServer> {
    const client = new RedisClient(url, {
      connectionTimeout: RESPONSE_MS,
      autoReconnect: false,
      enableOfflineQueue: false,
    });
    try {
      await within(client.connect());
      return new RedisServer(client);
    } catch {
      client.close();
      throw explained(await connectError(url));
    }
  }

  set onclose(listener: (error: Error) => void) {
    this.client.onclose = listener;
  }

  slotOf(): number {
    return 0;
  }

  async send<T>(_name: string, command: string, words: Word[]): Promise<T> {
    this.#pending++;
    try {
      // The types of Bun do not say that this method also accepts typed arrays, as all others do.
      return await this.client.send(command, words as string[]);
    } catch (error) {
      throw explained(error);
    } finally {
      this.#pending--;
      this.#silentTicks = 0;
    }
  }

  tick(): number {
    if (this.#pending > 0) return ++this.#silentTicks;
    // A machine that loses power does not close its connections. Only a request shows that it is gone, so an idle
    // connection asks for the time.
    this.send('', 'TIME', []).catch(() => {});
    return 0;
  }

  close(): void {
    this.client.close();
  }
}
