import { withoutBrackets } from '#formats/server-url.ts';
import { mostTelling, type RedisAddress } from './redis-url.ts';
import { type RedisLink, RedisServer, type Word, within } from './server.ts';

const SLOT_COUNT = 16_384;
/** While a slot moves, Redis cannot run a script whose names are on two servers. We try again until it can. */
const TRY_AGAIN_MS = 25;
const MAX_ATTEMPTS = 40;

/** A range of slots: its first and last one, its master, and replicas. */
type SlotRange = readonly [first: number, last: number, master: readonly [string, number]];

/**
 * Connections to all masters of a Redis Cluster. It follows redirections. When one of the connections
 * closes, the owner opens a new `RedisCluster`, which asks again where the slots are.
 */
export class RedisCluster implements RedisLink {
  /** The masters, by URL. */
  readonly #servers = new Map<string, RedisServer | Promise<RedisServer>>();
  #isClosed = false;
  probeSubjects: readonly string[] = [];
  onclose: (error: Error) => void = () => {};

  /** `masters` has the URL of the master of each slot. */
  private constructor(
    private readonly address: RedisAddress,
    private readonly masters: string[],
  ) {}

  static async connect(address: RedisAddress): Promise<RedisCluster> {
    const asked = address.urls.map((url) => askForMasters(url, address));
    const masters = await Promise.any(asked).catch((error: AggregateError) => {
      throw mostTelling(error.errors);
    });
    const cluster = new RedisCluster(address, masters);
    const urls = [...new Set(masters)];
    try {
      await Promise.all(urls.map((url) => cluster.#server(url)));
      cluster.probeSubjects = urls.map((url) => cluster.#subjectOn(url));
      return cluster;
    } catch (error) {
      cluster.close();
      throw error;
    }
  }

  readonly slotOf = hashSlot;

  async send<T>(name: string, command: string, words: Word[]): Promise<T> {
    const slot = hashSlot(name);
    let url = this.masters[slot] as string;
    let isAsking = false;
    for (let attempt = 1; ; attempt++) {
      // Awaiting only a connection that is not open yet keeps requests in the order of their calls.
      const known = this.#server(url);
      const server = known instanceof Promise ? await known : known;
      try {
        // ASKING allows the next command to use a slot that is still moving to this server.
        if (isAsking) server.send(name, 'ASKING', []).catch(() => {});
        return await server.send(name, command, words);
      } catch (error) {
        const redirection = redirectionOf(error);
        if (redirection === undefined) throw error;
        if (attempt === MAX_ATTEMPTS) throw new Error('The Redis cluster is moving a slot');
        const { kind, host, port } = redirection;
        isAsking = kind === 'ASK';
        if (kind === 'TRYAGAIN') {
          await Bun.sleep(TRY_AGAIN_MS);
          url = this.masters[slot] as string;
        } else {
          // A node that does not know its own host leaves it out of the redirection.
          url = this.address.urlOf(host || hostOf(url), Number(port));
        }
        if (kind === 'MOVED') this.masters[slot] = url;
      }
    }
  }

  tick(): number {
    return Math.max(...this.#connected().map((server) => server.tick()));
  }

  close(): void {
    this.#isClosed = true;
    for (const server of this.#connected()) server.close();
  }

  #connected(): RedisServer[] {
    return [...this.#servers.values()].filter((server) => server instanceof RedisServer);
  }

  #server(url: string): RedisServer | Promise<RedisServer> {
    return this.#servers.getOrInsertComputed(url, () => this.#connect(url));
  }

  async #connect(url: string): Promise<RedisServer> {
    const server = await RedisServer.connect(url);
    if (this.#isClosed) {
      server.close();
      throw new Error('Connection closed');
    }
    server.onclose = (error) => this.onclose(error);
    this.#servers.set(url, server);
    return server;
  }

  #subjectOn(url: string): string {
    for (let number = 0; ; number++) {
      const subject = `probe:${number}`;
      if (this.masters[hashSlot(subject)] === url) return subject;
    }
  }
}

/** Returns undefined for an error that is not a redirection. */
function redirectionOf(error: unknown) {
  const { message } = ((error as Error).cause ?? error) as Error;
  const pattern = /^(?<kind>MOVED|ASK|TRYAGAIN) (?:\d+ (?<host>.*):(?<port>\d+)$)?/;
  return pattern.exec(message)?.groups;
}

function hostOf(url: string): string {
  return withoutBrackets(new URL(url).hostname);
}

/** Asks a node of the cluster for the URLs of the masters of all slots. */
async function askForMasters(url: string, { urlOf }: RedisAddress): Promise<string[]> {
  const node = await RedisServer.connect(url);
  try {
    const ranges = await within(node.send<SlotRange[]>('', 'CLUSTER', ['SLOTS']));
    const masters = Array<string>(SLOT_COUNT);
    for (const [first, last, [host, port]] of ranges) {
      masters.fill(urlOf(host || hostOf(url), port), first, last + 1);
    }
    if (Object.keys(masters).length === SLOT_COUNT) return masters;
    throw new Error('The Redis cluster has slots without a server');
  } finally {
    node.close();
  }
}

/** The slot of a Redis Cluster for this name: the CRC-16/XMODEM of its hash tag, or of the whole name. */
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
