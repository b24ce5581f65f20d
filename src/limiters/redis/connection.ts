import { RedisCluster } from './cluster.ts';
import { mostTelling, parseRedisUrl, type RedisAddress, RedisRefusal } from './redis-url.ts';
import { type RedisLink, RedisServer, within } from './server.ts';

/** A Sentinel that is away must not delay the start for long. */
const ASK_MS = 1_000;

/** A master, as a Sentinel knows it. */
interface Master {
  readonly ip: string;
  readonly port: string;
  /** The number of the election that made it the master. */
  readonly 'config-epoch': string;
}

export async function connectRedis(url: string): Promise<RedisLink> {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new Error('REDIS_URL is not a URL of Redis');
  if (address.kind === 'cluster') return RedisCluster.connect(address);
  const server = await RedisServer.connect(
    address.kind === 'sentinel' ? await masterUrl(address) : url,
  );
  try {
    await within(checkMode(server));
    return server;
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Refuses a node of a cluster, which has only a part of the counts, and a Sentinel, which has none. */
async function checkMode(server: RedisServer): Promise<void> {
  const { mode } = await server.send<{ mode?: string }>('', 'HELLO', []);
  if (mode === 'cluster' || mode === 'sentinel') {
    const node = mode === 'cluster' ? 'a node of a cluster' : 'a Sentinel';
    throw new RedisRefusal(`Redis is ${node}: use redis+${mode}://`, true);
  }
}

/** Finds the current master. It asks all Sentinels, because some learn later than others of a new one. */
async function masterUrl({ urls, masterName, urlOf }: RedisAddress): Promise<string> {
  const asked = urls.map((url) => askSentinel(url, masterName));
  let responses = await Promise.allSettled(asked.map((each) => within(each, ASK_MS)));
  // Only if all of them failed do we wait longer, to learn the reasons.
  if (responses.every(({ status }) => status === 'rejected')) {
    responses = await Promise.allSettled(asked);
  }
  const masters = responses.flatMap((response) =>
    response.status === 'fulfilled' ? [response.value] : [],
  );
  masters.sort((a, b) => Number(b['config-epoch']) - Number(a['config-epoch']));
  const [newest] = masters;
  if (newest !== undefined) return urlOf(newest.ip, Number(newest.port));
  throw mostTelling((responses as PromiseRejectedResult[]).map(({ reason }) => reason));
}

async function askSentinel(url: string, masterName: string): Promise<Master> {
  const sentinel = await RedisServer.connect(url);
  try {
    return await within(sentinel.send('', 'SENTINEL', ['MASTER', masterName]), ASK_MS);
  } finally {
    sentinel.close();
  }
}
