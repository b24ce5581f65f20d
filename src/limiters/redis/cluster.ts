import { withoutBrackets } from '../../domain/server-url.ts';
import { firstOf, type RedisAddress } from './redis-url.ts';
import { type RedisLink, RedisServer } from './server.ts';

const SLOT_COUNT = 16_384;
/** While a slot moves, Redis cannot run a script whose names are on both servers: try again. */
const TRY_AGAIN_MS = 25;
const MAX_ATTEMPTS = 40;
const REDIRECTION = /^(MOVED|ASK|TRYAGAIN) (?:\d+ (.*):(\d+)$)?/;

/** A range of slots: its first and last one, its master, and replicas. */
type SlotRange = readonly [first: number, last: number, master: readonly [string, number]];

/**
 * Connections to all masters of a Redis Cluster. It follows redirections. When a connection closes,
 * its owner opens another cluster, which asks again where the slots are.
 */
export class RedisCluster implements RedisLink {
  readonly #address: RedisAddress;
  readonly #silenceMs: number | undefined;
  readonly #servers = new Map<string, Promise<RedisServer>>();
  /** The URL of the master of each slot. */
  readonly #masters: string[];
  readonly probeSubjects: readonly string[];
  onclose: (error: Error) => void = () => {};

  private constructor(address: RedisAddress, silenceMs: number | undefined, masters: string[]) {
    this.#address = address;
    this.#silenceMs = silenceMs;
    this.#masters = masters;
    this.probeSubjects = Array.from(new Set(masters), (url) => this.#subjectOn(url));
  }

  static async connect(address: RedisAddress, silenceMs?: number): Promise<RedisCluster> {
    const masters = await firstOf(address.urls.map((url) => askForMasters(url, address)));
    const cluster = new RedisCluster(address, silenceMs, masters);
    try {
      await Promise.all(Array.from(new Set(masters), (url) => cluster.#server(url)));
      return cluster;
    } catch (error) {
      cluster.close();
      throw error;
    }
  }

  slotOf(name: string): number {
    return hashSlot(name);
  }

  async send<T>(name: string, command: string, words: string[]): Promise<T> {
    const slot = hashSlot(name);
    let url = this.#masters[slot] as string;
    let isAsking = false;
    for (let attempt = 1; ; attempt++) {
      const server = await this.#server(url);
      try {
        // Allows the next command to use a slot that is still moving to this server.
        if (isAsking) server.send(name, 'ASKING', []).catch(() => {});
        return await server.send(name, command, words);
      } catch (error) {
        const [, kind, host, port = ''] = REDIRECTION.exec((error as Error).message) ?? [];
        if (kind === undefined || attempt === MAX_ATTEMPTS) throw error;
        isAsking = kind === 'ASK';
        if (kind === 'TRYAGAIN') {
          await Bun.sleep(TRY_AGAIN_MS);
          url = this.#masters[slot] as string;
        } else {
          // A node that does not know its own host leaves it out.
          url = this.#address.urlOf(host || hostOf(url), port);
        }
        if (kind === 'MOVED') this.#masters[slot] = url;
      }
    }
  }

  close(): void {
    for (const connecting of this.#servers.values()) {
      connecting.then((server) => server.close()).catch(() => {});
    }
  }

  #server(url: string): Promise<RedisServer> {
    const known = this.#servers.get(url);
    if (known !== undefined) return known;
    const connecting = RedisServer.connect(url, this.#silenceMs).then((server) => {
      server.onclose = (error) => this.onclose(error);
      return server;
    });
    this.#servers.set(url, connecting);
    return connecting;
  }

  #subjectOn(url: string): string {
    for (let number = 0; ; number++) {
      const subject = `probe:${number}`;
      if (this.#masters[hashSlot(subject)] === url) return subject;
    }
  }
}

function hostOf(url: string): string {
  return withoutBrackets(new URL(url).hostname);
}

async function askForMasters(url: string, { urlOf }: RedisAddress): Promise<string[]> {
  const node = await RedisServer.connect(url);
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

/** The slot of a Redis Cluster that has this name: CRC-16/XMODEM of the hash tag, if there is one. */
export function hashSlot(name: string): number {
  const tag = /^[^{]*\{([^}]+)\}/.exec(name)?.[1] ?? name;
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
