import type { Serving } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { eventually } from '../test/support/time.ts';
import { ownRandom, type Random } from './random.ts';
import { Confirmed, findLosses } from './writers.ts';

const CLIENTS = 12;
const PAUSE_MS = 5;
const REPEAT_MS = 20;

interface Pet {
  readonly id: number;
}

/**
 * Clients that list, read and create pets, on all instances in turn. The list of instances may change
 * meanwhile. A creation with an `Idempotency-Key` is repeated until it is confirmed, and then one more time.
 */
export class MixedLoad implements AsyncDisposable {
  /** Responses other than 2xx and 503 with `Retry-After`, and requests without a response. */
  readonly unexpected: string[] = [];
  readonly #confirmed = new Confirmed();
  readonly #services: readonly Serving[];
  readonly #secret: string;
  readonly #confirmedSentMs: number[] = [];
  readonly #refusals = new Map<Serving, number>();
  readonly #clients: Promise<void>[];
  #latestId = 0;
  #isStopped = false;

  constructor(services: readonly Serving[], secret: string, random: Random) {
    this.#services = services;
    this.#secret = secret;
    this.#clients = Array.from({ length: CLIENTS }, (_, client) =>
      this.#run(client, ownRandom(random)),
    );
  }

  /** How many responses were not 2xx, such as 503. */
  get refusals(): number {
    return [...this.#refusals.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Waits until every instance has refused more requests than were in flight, or until `isInVain` returns true. */
  async refused(isInVain = () => false): Promise<void> {
    const before = new Map(this.#refusals);
    const inFlight = CLIENTS / this.#services.length;
    const count = (service: Serving) =>
      (this.#refusals.get(service) ?? 0) - (before.get(service) ?? 0);
    await eventually(
      () => isInVain() || this.#services.every((service) => count(service) > inFlight),
    );
  }

  /** Waits until every instance lists and creates pets. */
  async served(): Promise<void> {
    for (const [index, { started }] of this.#services.entries()) {
      const { get, add } = apiCaller(started.api, this.#secret);
      await eventually(async () => {
        const responses = [await get('/pets?limit=1'), await add(`back ${index}`)];
        return responses.every(({ ok }) => ok);
      });
    }
  }

  /** How many creations that were sent after the given time have been confirmed. */
  confirmedSince(ms: number): number {
    return this.#confirmedSentMs.filter((sentMs) => sentMs > ms).length;
  }

  /** Counts the confirmed pets that the store lacks, and the pets that it has twice. */
  async compare(service: Serving): Promise<{ lost: number; doubled: number }> {
    const caller = apiCaller(service.started.api, this.#secret);
    const { lost, reused } = await findLosses(caller, this.#confirmed);
    const names: string[] = [];
    for await (const { name } of caller.petsAfter(0)) {
      if (!name.startsWith('back ')) names.push(name);
    }
    return { lost: lost + reused, doubled: names.length - new Set(names).size };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(client: number, random: Random): Promise<void> {
    for (let count = 0; !this.#isStopped; count++) {
      const name = `pet-${client}-${count}`;
      const kind = random();
      const service = this.#serviceAt(client + count);
      if (kind < 0.25) await this.#get(service, '/pets?limit=5');
      else if (kind < 0.5) await this.#get(service, `/pets/${this.#latestId}`);
      else if (kind < 0.75) await this.#create(service, name);
      else await this.#createOnce(client + count, name);
      await Bun.sleep(PAUSE_MS);
    }
  }

  async #createOnce(turn: number, name: string): Promise<void> {
    for (let attempt = 0; !this.#isStopped; attempt++) {
      if (await this.#create(this.#serviceAt(turn + attempt), name, name)) break;
      await Bun.sleep(REPEAT_MS);
    }
    await this.#create(this.#serviceAt(turn + 1), name, name);
  }

  async #create(service: Serving, name: string, idempotencyKey?: string): Promise<boolean> {
    const { add } = apiCaller(service.started.api, this.#secret);
    const sentMs = performance.now();
    const pet = await this.#check(service, `POST ${name}`, add(name, idempotencyKey));
    if (pet === undefined) return false;
    this.#confirmedSentMs.push(sentMs);
    this.#latestId = (pet as Pet).id;
    this.#confirmed.set(this.#latestId, name);
    return true;
  }

  async #get(service: Serving, path: string): Promise<void> {
    // No pet has id 0.
    if (path === '/pets/0') return;
    const { get } = apiCaller(service.started.api, this.#secret);
    await this.#check(service, `GET ${path}`, get(path));
  }

  /** Returns the body of a success. */
  async #check(service: Serving, request: string, sent: Promise<Response>): Promise<unknown> {
    try {
      const response = await sent;
      const body = await response.json();
      if (response.ok) return body;
      this.#refusals.set(service, (this.#refusals.get(service) ?? 0) + 1);
      const isExpected = response.status === 503 && response.headers.has('Retry-After');
      if (!isExpected)
        this.unexpected.push(`${request}: ${response.status} ${JSON.stringify(body)}`);
    } catch (error) {
      this.unexpected.push(`${request}: ${error}`);
    }
    return undefined;
  }

  #serviceAt(turn: number): Serving {
    return this.#services[turn % this.#services.length] as Serving;
  }
}
