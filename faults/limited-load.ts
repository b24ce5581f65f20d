import type { Serving } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { eventually } from '../test/support/time.ts';

const CLIENTS_PER_INSTANCE = 4;
const PAUSE_MS = 10;
/** If every instance refuses more requests in a row than there are clients, the quota is used up. */
const LAST_REFUSALS = 10;

/**
 * Clients of one account that send as many requests as they can, spread equally over all instances. The list of
 * instances may change meanwhile.
 */
export class LimitedLoad implements AsyncDisposable {
  admitted = 0;
  /** Responses other than 200 and 429, and requests without a response. */
  readonly unexpected: string[] = [];
  readonly #refusalsInRow = new Map<Serving, number>();
  readonly #services: readonly Serving[];
  readonly #secret: string;
  readonly #clients: Promise<void>[];
  #isPaused = false;
  #isStopped = false;
  #inFlight = 0;

  constructor(services: readonly Serving[], secret: string) {
    this.#services = services;
    this.#secret = secret;
    const count = CLIENTS_PER_INSTANCE * services.length;
    this.#clients = Array.from({ length: count }, (_, client) => this.#run(client));
  }

  /** Waits until no request is in flight. The clients wait for `resume`. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await eventually(() => this.#inFlight === 0);
  }

  resume(): void {
    this.#isPaused = false;
  }

  async untilAdmitted(count: number): Promise<void> {
    await eventually(() => this.admitted >= count);
  }

  /** Waits until every instance refuses everything. */
  async untilUsedUp(): Promise<void> {
    this.#refusalsInRow.clear();
    await eventually(() =>
      this.#services.every((each) => (this.#refusalsInRow.get(each) ?? 0) >= LAST_REFUSALS),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #run(client: number): Promise<void> {
    while (!this.#isStopped) {
      const service = this.#services[client % this.#services.length] as Serving;
      if (!this.#isPaused) await this.#send(service);
      await Bun.sleep(PAUSE_MS);
    }
  }

  async #send(service: Serving): Promise<void> {
    this.#inFlight++;
    try {
      const response = await apiCaller(service.started.api, this.#secret).get('/pets?limit=1');
      const body = await response.text();
      const isRefusal = response.status === 429;
      if (response.status === 200) this.admitted++;
      else if (!isRefusal) this.unexpected.push(`${response.status} ${body}`);
      const before = this.#refusalsInRow.get(service) ?? 0;
      this.#refusalsInRow.set(service, isRefusal ? before + 1 : 0);
    } catch (error) {
      this.unexpected.push(String(error));
    } finally {
      this.#inFlight--;
    }
  }
}
