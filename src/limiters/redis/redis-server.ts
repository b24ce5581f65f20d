import { RedisClient } from 'bun';
import { withDeadline } from '../../async/deadline.ts';
import { connectError } from './connect-error.ts';
import type { RedisLink } from './redis-link.ts';
import { explained } from './redis-refusal.ts';

const CONNECT_MS = 2_000;

/** Fails when no response comes in time. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = () => new Error(`Redis did not respond within ${milliseconds} ms`);
  return withDeadline(milliseconds, work, late);
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
    this.#silentTicks = this.#pending === 0 ? 0 : this.#silentTicks + 1;
    return this.#silentTicks;
  }

  close(): void {
    this.#client.close();
  }
}
