import type { RedisAddress } from './redis-address.ts';
import { mostTelling } from './redis-refusal.ts';
import { RedisServer, within } from './redis-server.ts';

const ASK_MS = 1_000;

/** A master, as a Sentinel knows it. */
interface Master {
  readonly ip: string;
  readonly port: string;
  /** The number of the election that made it the master. */
  readonly 'config-epoch': string;
}

/** The URL of the current master. Asks all Sentinels, because some learn of a new master later. */
export async function masterUrl({ urls, masterName, urlOf }: RedisAddress): Promise<string> {
  const asked = await Promise.allSettled(urls.map((url) => within(ASK_MS, ask(url, masterName))));
  let newest: Master | undefined;
  for (const reply of asked) {
    if (reply.status === 'rejected') continue;
    const epoch = Number(newest?.['config-epoch'] ?? -1);
    if (Number(reply.value['config-epoch']) > epoch) newest = reply.value;
  }
  if (newest !== undefined) return urlOf(newest.ip, Number(newest.port));
  throw mostTelling((asked as PromiseRejectedResult[]).map(({ reason }) => reason));
}

async function ask(url: string, masterName: string): Promise<Master> {
  const sentinel = await RedisServer.connect(url);
  try {
    return await sentinel.send('', 'SENTINEL', ['MASTER', masterName]);
  } finally {
    sentinel.close();
  }
}
