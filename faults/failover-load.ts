import type { OperatorStore } from '#domain/backend.ts';
import type { Serving } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { backend, createKey } from '../test/support/store.ts';
import { eventually } from '../test/support/time.ts';

const WRITERS = 6;
const READERS = 3;
const REVOKERS = 6;
const PAUSE_MS = 10;
const PAGE = 100;
const COMMAND_MS = 5_000;
/** How long an instance may still accept a revoked key. */
const REVOCATION_MS = 1_000;
/** How long a revoked key is tried. */
const TRIED_MS = 4_000;
const TRIAL_PAUSE_MS = 100;

interface Pet {
  readonly id: number;
}

export interface Confirmed extends Pet {
  /** The instance that was the last to confirm the pet. */
  readonly service: Serving;
}

interface Reader {
  /** The id of the last pet that it got. */
  last: number;
  readonly seen: Set<number>;
}

/** Which service the clients use, and what they know about it. */
interface Target {
  /** The list may change meanwhile. */
  readonly services: readonly Serving[];
  readonly url: string;
  readonly account: string;
  readonly secret: string;
  /** The names of the new pets begin with this. */
  readonly prefix: string;
  /** The largest id before this load. */
  readonly lastId: number;
}

/**
 * Clients that use all instances in turn, for as long as one event lasts: they create pets with an `Idempotency-Key`,
 * and repeat each creation until it is confirmed, follow the pages of the list, and revoke keys.
 */
export class FailoverLoad {
  /** The confirmed pets, by name. */
  readonly confirmed = new Map<string, Confirmed>();
  /** Responses other than 2xx and 503 with `Retry-After`, and requests without a response. */
  readonly unexpected: string[] = [];
  readonly #target: Target;
  readonly #readers: readonly Reader[];
  readonly #revoked: { readonly secret: string; readonly atMs: number }[] = [];
  /** The revoked keys that an instance accepted too late. */
  readonly #accepted = new Set<string>();
  /** When each instance last confirmed a creation. */
  readonly #createdAtMs = new Map<Serving, number>();
  readonly #clients: Promise<void>[];
  #longestGapMs = 0;
  #isStopped = false;

  constructor(target: Target) {
    this.#target = target;
    const { lastId } = target;
    this.#readers = Array.from({ length: READERS }, () => ({ last: lastId, seen: new Set() }));
    this.#clients = [
      ...Array.from({ length: WRITERS }, (_, writer) => this.#write(writer)),
      ...this.#readers.map((reader, turn) => this.#read(reader, turn)),
      ...Array.from({ length: REVOKERS }, () => this.#revoke()),
    ];
  }

  /** The longest time in which an instance confirmed no pet, between two that it confirmed. */
  get longestGapSeconds(): number {
    return this.#longestGapMs / 1_000;
  }

  /** Waits until every instance creates pets. */
  async served(): Promise<void> {
    const sinceMs = performance.now();
    await eventually(() =>
      this.#target.services.every((each) => (this.#createdAtMs.get(each) ?? 0) > sinceMs),
    );
  }

  /** Stops all clients, and tries every revoked key once more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
    await Bun.sleep(REVOCATION_MS);
    for (const key of this.#revoked) await this.#tryRevoked(key);
  }

  /** How many confirmed pets a reader did not get, although it got a pet with a larger id. */
  get missed(): number {
    const ids = [...this.confirmed.values()].map(({ id }) => id);
    const missedBy = ({ last, seen }: Reader) =>
      ids.filter((id) => id < last && !seen.has(id)).length;
    return this.#readers.reduce((sum, reader) => sum + missedBy(reader), 0);
  }

  get revokedKeys(): number {
    return this.#revoked.length;
  }

  /** How many revoked keys were accepted later than a second after their revocation. */
  get acceptedKeys(): number {
    return this.#accepted.size;
  }

  async #write(writer: number): Promise<void> {
    for (let count = 0; !this.#isStopped; count++) {
      const name = `${this.#target.prefix}-${writer}-${count}`;
      for (let turn = writer + count; !this.#isStopped; turn++) {
        if (await this.#create(this.#serviceAt(turn), name)) break;
        await Bun.sleep(PAUSE_MS);
      }
      // A client that has lost the response repeats a creation that was confirmed.
      if (!this.#isStopped) await this.#create(this.#serviceAt(writer + count + 1), name);
      await Bun.sleep(PAUSE_MS);
    }
  }

  async #create(service: Serving, name: string): Promise<boolean> {
    const { add } = apiCaller(service.started.api, this.#target.secret);
    const pet = await this.#check<Pet>(`POST ${name}`, add(name, name));
    if (pet === undefined) return false;
    const nowMs = performance.now();
    const gapMs = nowMs - (this.#createdAtMs.get(service) ?? nowMs);
    this.#createdAtMs.set(service, nowMs);
    this.#longestGapMs = Math.max(this.#longestGapMs, gapMs);
    this.confirmed.set(name, { id: pet.id, service });
    return true;
  }

  async #read(reader: Reader, first: number): Promise<void> {
    for (let turn = first; !this.#isStopped; turn++) {
      const { get } = apiCaller(this.#serviceAt(turn).started.api, this.#target.secret);
      const path = `/pets?limit=${PAGE}&after=${reader.last}`;
      const pets = await this.#check<Pet[]>(`GET ${path}`, get(path));
      for (const { id } of pets ?? []) reader.seen.add(id);
      reader.last = pets?.at(-1)?.id ?? reader.last;
      await Bun.sleep(PAUSE_MS);
    }
  }

  async #revoke(): Promise<void> {
    while (!this.#isStopped) {
      const key = await this.#attempt((store) =>
        createKey(store, { accountName: this.#target.account }),
      );
      if (key === undefined) continue;
      const use = (service: Serving) => apiCaller(service.started.api, key.secret).get('/pets/1');
      // Afterwards, the instances have cached the key.
      await Promise.allSettled(this.#target.services.map(use));
      const revoked = await this.#attempt(({ accounts }) => accounts.revokeKey(key.id));
      if (revoked === undefined) continue;
      const entry = { secret: key.secret, atMs: performance.now() };
      this.#revoked.push(entry);
      while (!this.#isStopped && performance.now() < entry.atMs + TRIED_MS) {
        await this.#tryRevoked(entry);
        await Bun.sleep(TRIAL_PAUSE_MS);
      }
    }
  }

  /** Repeats a change of an operator until it succeeds, or returns undefined after the stop. */
  async #attempt<T>(change: (store: OperatorStore) => Promise<T>): Promise<T | undefined> {
    while (!this.#isStopped) {
      try {
        const opened = backend(this.#target.url, 1, Date.now, COMMAND_MS);
        await using store = await opened.openForCommand();
        return await change(store);
      } catch {
        await Bun.sleep(PAUSE_MS);
      }
    }
    return undefined;
  }

  async #tryRevoked({ secret, atMs }: { secret: string; atMs: number }): Promise<void> {
    const attempt = async ({ started }: Serving) => {
      const afterMs = performance.now() - atMs;
      const response = await apiCaller(started.api, secret)
        .get('/pets/1')
        .catch(() => undefined);
      if (afterMs <= REVOCATION_MS || response === undefined) return;
      // If the key is accepted, pet 1 is found or not.
      if (response.status === 200 || response.status === 404) this.#accepted.add(secret);
    };
    await Promise.all(this.#target.services.map(attempt));
  }

  /** Returns the body of a success. */
  async #check<Body>(request: string, sent: Promise<Response>): Promise<Body | undefined> {
    try {
      const response = await sent;
      const body = await response.json();
      if (response.ok) return body as Body;
      if (response.status !== 503 || !response.headers.has('Retry-After')) {
        this.unexpected.push(`${request}: ${response.status} ${JSON.stringify(body)}`);
      }
    } catch (error) {
      this.unexpected.push(`${request}: ${error}`);
    }
    return undefined;
  }

  #serviceAt(turn: number): Serving {
    return this.#target.services[turn % this.#target.services.length] as Serving;
  }
}
