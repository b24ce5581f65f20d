import { RedisClient } from 'bun';
import { withDeadline } from '../async/deadline.ts';

const CONNECT_MS = 2_000;

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
