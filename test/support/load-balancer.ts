import type { Serving } from './command.ts';

const POLL_MS = 50;

/** Forwards requests in turn to the instances that are ready. */
export class LoadBalancer implements AsyncDisposable {
  readonly #instances = new Set<Serving>();
  #ready: Serving[] = [];
  #turn = 0;
  readonly #polling = this.#poll();
  #isOpen = true;
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => this.#forward(request),
  });

  get url(): string {
    return this.#server.url.origin;
  }

  get readyCount(): number {
    return this.#ready.length;
  }

  add(instance: Serving): void {
    this.#instances.add(instance);
  }

  remove(instance: Serving): void {
    this.#instances.delete(instance);
    this.#ready = this.#ready.filter((ready) => ready !== instance);
  }

  /** Polls never overlap: a late one must not bring back a removed instance. */
  async #poll(): Promise<void> {
    do {
      await Bun.sleep(POLL_MS);
      await this.#checkReadiness();
    } while (this.#isOpen);
  }

  async #checkReadiness(): Promise<void> {
    const ready = await Promise.all(
      Array.from(this.#instances, async (instance) => {
        const health = fetch(`${instance.started.operator}/health/ready`, { keepalive: false });
        const isReady = await health.then(({ ok }) => ok).catch(() => false);
        return isReady ? [instance] : [];
      }),
    );
    this.#ready = ready.flat().filter((instance) => this.#instances.has(instance));
  }

  async #forward(request: Request): Promise<Response> {
    const instance = this.#ready[this.#turn++ % this.#ready.length];
    if (instance === undefined) return new Response('no instance is ready', { status: 502 });
    const { pathname, search } = new URL(request.url);
    const target = `${new URL(instance.started.listening).origin}${pathname}${search}`;
    const { method, headers } = request;
    try {
      const body = method === 'GET' ? undefined : await request.text();
      const response = await fetch(target, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      return new Response(await response.text(), { status: response.status });
    } catch (error) {
      return new Response(String(error), { status: 502 });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOpen = false;
    await this.#polling;
    await this.#server.stop(true);
  }
}
