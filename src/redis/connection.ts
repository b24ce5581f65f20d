import { RedisClient } from 'bun';
import { withDeadline } from '../async/deadline.ts';
import { whyUnreachable } from '../async/why-unreachable.ts';

const CONNECT_MS = 2_000;
const DEFAULT_PORT = 6379;

/** Fails when no response comes in time. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = () => new Error(`Redis did not respond within ${milliseconds} ms`);
  return withDeadline(milliseconds, work, late);
}

/** A connection that has responded to `probe`. It does not reconnect: its owner opens another. */
export async function connectRedis(
  url: string,
  probe: (client: RedisClient) => Promise<unknown> = (client) => client.send('PING', []),
): Promise<RedisClient> {
  const client = new RedisClient(url, {
    connectionTimeout: CONNECT_MS,
    autoReconnect: false,
    enableOfflineQueue: false,
  });
  try {
    await within(CONNECT_MS, client.connect());
    await within(CONNECT_MS, probe(client));
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** The host and port of a URL, without the password. */
export function redisAddress(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || DEFAULT_PORT}`;
}

/** One line about a server that cannot be used. The driver only says that a connection closed. */
export async function whyRedisFailed(url: string, error: unknown): Promise<string> {
  const { hostname, port } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  const reason =
    (await whyUnreachable(address, Number(port) || DEFAULT_PORT)) ??
    (await loginError(url).catch(() => undefined)) ??
    (error as Error).message;
  return `Cannot use Redis at ${redisAddress(url)}: ${reason}`;
}

const LOGIN_ERRORS: Readonly<Record<string, string>> = {
  NOAUTH: 'it requires a password',
  WRONGPASS: 'the user or the password is wrong',
};

/** The error that the server sends to a login. Undefined if it accepts the login. */
async function loginError(url: string): Promise<string | undefined> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const words = password === '' ? ['PING'] : ['AUTH', username || 'default', password];
  const command = words
    .map(decodeURIComponent)
    .map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  const { promise: received, resolve, reject } = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port) || DEFAULT_PORT,
    tls: protocol === 'rediss:',
    socket: {
      data: (_, data) => resolve(data.toString()),
      close: () => reject(new Error('The connection was closed')),
      error: (_, error) => reject(error),
    },
  });
  socket.write(`*${words.length}\r\n${command.join('')}`);
  try {
    const response = await within(CONNECT_MS, received);
    const [, code = '', message] = /^-(\w+) (.*?)\.?\r\n/.exec(response) ?? [];
    return LOGIN_ERRORS[code] ?? message;
  } finally {
    socket.end();
  }
}
