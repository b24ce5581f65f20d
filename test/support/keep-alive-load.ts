import { HttpConnection } from './http-connection.ts';
import { creationHead, head } from './raw-http.ts';

const REX = '{"name":"Rex","categoryId":1}';

const MAX_PAUSE_MS = 20;

/** Clients that send one request after the other, some after a pause, and leave when asked to. */
export class KeepAliveLoad implements AsyncDisposable {
  /** Requests that were written to a connection. */
  requests = 0;
  /** Those whose connection ended before their response arrived. */
  withoutResponse = 0;
  readonly #clients: Promise<void>;
  #hasEnded = false;

  constructor(api: string, secret: string, clients: number) {
    const list = head('GET /v1/pets?limit=1 HTTP/1.1', `Authorization: Bearer ${secret}`);
    const create = creationHead(secret, REX) + REX;
    const sending = Array.from({ length: clients }, (_, client) =>
      this.#sendAll(api, client % 2 === 0 ? list : create, client % MAX_PAUSE_MS),
    );
    this.#clients = Promise.all(sending).then(() => {});
  }

  async #sendAll(api: string, request: string, pauseMs: number): Promise<void> {
    await using connection = await HttpConnection.open(api);
    while (!this.#hasEnded && connection.isOpen) {
      this.requests++;
      await connection.exchange(request).catch(() => this.withoutResponse++);
      await Bun.sleep(pauseMs);
    }
  }

  /** Waits until every client has its last response. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#clients;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
