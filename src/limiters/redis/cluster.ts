import { withoutBrackets } from '../../domain/server-url.ts';
import { firstOf, type RedisAddress } from './redis-url.ts';
import { connectServer, type RedisLink } from './server.ts';

const SLOT_COUNT = 16_384;
/** While a slot moves, Redis cannot run a script whose names are on both servers: try again. */
const TRY_AGAIN_MS = 25;
const MAX_ATTEMPTS = 40;
const REDIRECTION = /^(MOVED|ASK|TRYAGAIN) (?:\d+ (.*):(\d+)$)?/;

/** A range of slots: its first and last one, its master, and replicas. */
type SlotRange = readonly [first: number, last: number, master: readonly [string, number]];

/**
 * Connects to all masters of a Redis Cluster. It follows redirections. When a connection closes, its
 * owner opens another cluster, which asks again where the slots are.
 */
export async function connectCluster(
  address: RedisAddress,
  silenceMs?: number,
): Promise<RedisLink> {
  /** The URL of the master of each slot. */
  const masters = await firstOf(address.urls.map((url) => askForMasters(url, address)));
  const nodes = new Set(masters);
  const servers = new Map<string, Promise<RedisLink>>();

  /** All requests wait for the same promise, so they are sent in order. */
  function serverAt(url: string): Promise<RedisLink> {
    const known = servers.get(url);
    if (known !== undefined) return known;
    const connecting = connectServer(url, silenceMs).then((server) => {
      server.onclose = (error) => link.onclose(error);
      return server;
    });
    servers.set(url, connecting);
    return connecting;
  }

  const link: RedisLink = {
    probeSubjects: Array.from(nodes, (url) => subjectOn(url, masters)),
    onclose: () => {},
    slotOf: hashSlot,

    async send(subject, command, words) {
      const slot = hashSlot(subject);
      let url = masters[slot] as string;
      let isAsking = false;
      for (let attempt = 1; ; attempt++) {
        const server = await serverAt(url);
        try {
          // Allows the next command to use a slot that is still moving to this server.
          if (isAsking) server.send(subject, 'ASKING', []).catch(() => {});
          return await server.send(subject, command, words);
        } catch (error) {
          const [, kind, host, port = ''] = REDIRECTION.exec((error as Error).message) ?? [];
          if (kind === undefined || attempt === MAX_ATTEMPTS) throw error;
          isAsking = kind === 'ASK';
          if (kind === 'TRYAGAIN') {
            await Bun.sleep(TRY_AGAIN_MS);
            url = masters[slot] as string;
          } else {
            // A node that does not know its own host leaves it out.
            url = address.urlOf(host || hostOf(url), port);
          }
          if (kind === 'MOVED') masters[slot] = url;
        }
      }
    },

    close() {
      for (const connecting of servers.values()) {
        connecting.then((server) => server.close()).catch(() => {});
      }
    },
  };

  try {
    await Promise.all(Array.from(nodes, serverAt));
    return link;
  } catch (error) {
    link.close();
    throw error;
  }
}

function subjectOn(url: string, masters: readonly string[]): string {
  for (let number = 0; ; number++) {
    const subject = `probe:${number}`;
    if (masters[hashSlot(subject)] === url) return subject;
  }
}

function hostOf(url: string): string {
  return withoutBrackets(new URL(url).hostname);
}

async function askForMasters(url: string, { urlOf }: RedisAddress): Promise<string[]> {
  const node = await connectServer(url);
  try {
    const ranges = await node.send<SlotRange[]>('', 'CLUSTER', ['SLOTS']);
    const masters = Array<string | undefined>(SLOT_COUNT);
    for (const [first, last, [host, port]] of ranges) {
      masters.fill(urlOf(host || hostOf(url), port), first, last + 1);
    }
    if (!masters.includes(undefined)) return masters as string[];
    throw new Error('The Redis cluster has slots without a server');
  } finally {
    node.close();
  }
}

/** The slot of a Redis Cluster for names with this hash tag: its CRC-16/XMODEM. */
export function hashSlot(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc % SLOT_COUNT;
}
