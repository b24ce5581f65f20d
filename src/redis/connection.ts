import { RedisClient } from 'bun';

const CONNECT_MS = 500;

/** Fails when no answer comes in time. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`Redis did not answer within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A connection that has shown that it answers. It does not reconnect: its owner opens another. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client = new RedisClient(url, {
    connectionTimeout: CONNECT_MS,
    autoReconnect: false,
    enableOfflineQueue: false,
  });
  try {
    await within(CONNECT_MS, client.connect());
    await within(CONNECT_MS, client.send('PING', []));
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}
