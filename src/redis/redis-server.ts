import { connect as connectSocket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { RedisClient } from 'bun';
import { withDeadline } from '../async/deadline.ts';
import { withoutBrackets } from '../domain/server-url.ts';
import type { RedisLink } from './redis-link.ts';
import { explained } from './redis-refusal.ts';

const CONNECT_MS = 2_000;
export const DEFAULT_PORT = 6_379;

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
    } catch (error) {
      client.close();
      throw explained(await within(CONNECT_MS, connectError(url)).catch(() => error));
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

/** Bun reports every failed connection as "Connection closed". This asks the server for its words. */
function connectError(url: string): Promise<Error> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = withoutBrackets(hostname);
  const address = { host, port: Number(port || DEFAULT_PORT) };
  const words = ['HELLO', '3'];
  if (password !== '') {
    words.push('AUTH', decodeURIComponent(username) || 'default', decodeURIComponent(password));
  }
  const { promise, resolve } = Promise.withResolvers<Error>();
  const socket = protocol === 'rediss:' ? connectTls(address) : connectSocket(address);
  const end = (error: Error) => {
    socket.destroy();
    resolve(error);
  };
  socket.setTimeout(CONNECT_MS, () => end(new Error('Connection closed')));
  socket.on('error', end);
  socket.on('close', () => end(new Error('Connection closed')));
  socket.once('data', (chunk) => {
    const [line = ''] = chunk.toString().split('\r\n');
    end(new Error(line.startsWith('-') ? line.slice(1) : 'Connection closed'));
  });
  const lengths = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  socket.write(`*${words.length}\r\n${lengths.join('')}`);
  return promise;
}
