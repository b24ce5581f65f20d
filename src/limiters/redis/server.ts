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
  /** Scripts can use the counts of several accounts only if these have the same slot. */
  slotOf(subject: string): number;
  /** Sends a command to the server that has the counts of the account or address. */
  send<T>(subject: string, command: string, words: string[]): Promise<T>;
  close(): void;
}

/** Opens one connection to one server. It does not reconnect: its owner opens another. */
export async function connectServer(url: string, silenceMs = SILENCE_MS): Promise<RedisLink> {
  const client = new RedisClient(url, {
    connectionTimeout: CONNECT_MS,
    autoReconnect: false,
    enableOfflineQueue: false,
  });
  try {
    await client.connect();
  } catch {
    client.close();
    throw await connectError(url);
  }
  let pending = 0;
  let silentTicks = 0;
  const watch = setInterval(() => {
    // A pause of this process is one tick, however long it was.
    silentTicks = pending === 0 ? 0 : silentTicks + 1;
    if (silentTicks <= SILENT_TICKS) return;
    link.onclose(new Error('Redis is silent while requests wait'));
    link.close();
  }, silenceMs / SILENT_TICKS);
  client.onclose = (error) => link.onclose(error);

  const link: RedisLink = {
    probeSubjects: ['probe'],
    onclose: () => {},
    slotOf: () => 0,
    async send(_, command, words) {
      pending++;
      try {
        return await client.send(command, words);
      } finally {
        pending--;
        silentTicks = 0;
      }
    },
    close() {
      clearInterval(watch);
      client.close();
    },
  };
  return link;
}
