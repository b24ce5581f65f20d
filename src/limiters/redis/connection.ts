import { connectCluster } from './cluster.ts';
import { firstOf, parseRedisUrl, type RedisAddress } from './redis-url.ts';
import { connectServer, type RedisLink } from './server.ts';

const ASK_MS = 1_000;

/** A master, as a Sentinel knows it. */
interface Master {
  readonly ip: string;
  readonly port: string;
  /** The number of the election that made it the master. */
  readonly 'config-epoch': string;
}

/** A server that is silent for `silenceMs` while requests wait is away. */
export async function connectRedis(url: string, silenceMs?: number): Promise<RedisLink> {
  const address = parseRedisUrl(url) as RedisAddress;
  if (address.kind === 'cluster') return connectCluster(address, silenceMs);
  const serverUrl = address.kind === 'sentinel' ? await masterUrl(address) : url;
  const server = await connectServer(serverUrl, silenceMs);
  try {
    await requireStandalone(server);
    return server;
  } catch (error) {
    server.close();
    throw error;
  }
}

/** A node of a cluster has only a part of the counts, and a Sentinel has none. */
async function requireStandalone(server: RedisLink): Promise<void> {
  const { mode } = await server.send<{ mode?: string }>('', 'HELLO', []);
  if (mode !== 'cluster' && mode !== 'sentinel') return;
  throw new Error(`The server runs in ${mode} mode: use redis+${mode}://`);
}

/** The URL of the current master. Asks all Sentinels, because some learn of a new master later. */
async function masterUrl({ urls, masterName, urlOf }: RedisAddress): Promise<string> {
  const masters: Master[] = [];
  const asked = urls.map(async (url) => masters.push(await askSentinel(url, masterName)));
  // A Sentinel that is away must not delay the others.
  await Promise.race([Promise.allSettled(asked), Bun.sleep(ASK_MS)]);
  await firstOf(asked);
  masters.sort((a, b) => Number(b['config-epoch']) - Number(a['config-epoch']));
  const [{ ip, port }] = masters as [Master];
  return urlOf(ip, port);
}

async function askSentinel(url: string, masterName: string): Promise<Master> {
  const sentinel = await connectServer(url);
  try {
    return await sentinel.send('', 'SENTINEL', ['MASTER', masterName]);
  } finally {
    sentinel.close();
  }
}
