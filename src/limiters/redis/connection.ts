import { whyUnreachable } from '../../async/why-unreachable.ts';
import { withoutBrackets } from '../../domain/server-url.ts';
import { RedisCluster } from './cluster.ts';
import { DEFAULT_PORT, parseRedisUrl } from './redis-address.ts';
import type { RedisLink } from './redis-link.ts';
import { RedisRefusal } from './redis-refusal.ts';
import { RedisServer, within } from './redis-server.ts';
import { masterUrl } from './sentinel.ts';

const PROBE_MS = 2_000;

/** A connection whose servers have all responded to `probe`. */
export async function connectRedis(
  url: string,
  probe: (link: RedisLink) => Promise<unknown> = ping,
): Promise<RedisLink> {
  const link = await connect(url);
  try {
    await within(PROBE_MS, probe(link));
    return link;
  } catch (error) {
    link.close();
    throw error;
  }
}

/** The hosts and ports of a URL, without the password. */
export function redisAddress(url: string): string {
  return serversOf(url)
    .map(({ host, port }) => `${host}:${port}`)
    .join(', ');
}

/** One line about servers that cannot be used. The driver only says that a connection closed. */
export async function whyRedisFailed(url: string, error: unknown): Promise<string> {
  const [first] = serversOf(url);
  const unreachable =
    first === undefined || error instanceof RedisRefusal
      ? undefined
      : await whyUnreachable(withoutBrackets(first.host), first.port);
  return `Cannot use Redis at ${redisAddress(url)}: ${unreachable ?? (error as Error).message}`;
}

function serversOf(url: string): { host: string; port: number }[] {
  return (parseRedisUrl(url)?.urls ?? []).map((each) => {
    const { hostname, port } = new URL(each);
    return { host: hostname, port: Number(port) || DEFAULT_PORT };
  });
}

async function ping(link: RedisLink): Promise<void> {
  await Promise.all(link.probeSubjects.map((subject) => link.send(subject, 'PING', [])));
}

async function connect(url: string): Promise<RedisLink> {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new Error('REDIS_URL is not a URL of Redis');
  if (address.kind === 'cluster') return RedisCluster.connect(address);
  const server = await RedisServer.connect(
    address.kind === 'sentinel' ? await masterUrl(address) : url,
  );
  try {
    await within(PROBE_MS, checkMode(server));
    return server;
  } catch (error) {
    server.close();
    throw error;
  }
}

/** A node of a cluster has only a part of the counts, and a Sentinel has none. */
async function checkMode(server: RedisServer): Promise<void> {
  const { mode } = await server.send<{ mode?: string }>('', 'HELLO', []);
  if (mode === 'cluster' || mode === 'sentinel') {
    const node = mode === 'cluster' ? 'a node of a cluster' : 'a Sentinel';
    throw new RedisRefusal(`Redis is ${node}: use redis+${mode}://`, { isMistake: true });
  }
}
