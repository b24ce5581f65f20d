import { connect } from 'node:net';

const REX = '{"name":"Rex","categoryId":1}';

const MAX_PAUSE_MS = 20;

/** Clients that send one request after the other, some after a pause, and leave when asked to. */
export class KeepAliveLoad implements AsyncDisposable {
  /** Requests that were written to a connection. */
  requests = 0;
  /** Those whose connection ended before their response arrived. */
  withoutResponse = 0;
  readonly #url: URL;
  readonly #requests: readonly string[];
  readonly #clients: Promise<void>[];
  #hasEnded = false;

  constructor(api: string, secret: string, clients: number) {
    this.#url = new URL(api);
    const head = `Host: x\r\nAuthorization: Bearer ${secret}\r\n`;
    this.#requests = [
      `GET /v1/pets?limit=1 HTTP/1.1\r\n${head}\r\n`,
      `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\n` +
        `Content-Length: ${REX.length}\r\n\r\n${REX}`,
    ];
    this.#clients = Array.from({ length: clients }, (_, index) => this.#sendAll(index));
  }

  #sendAll(client: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isWaiting = false;
    let mustClose = false;
    let received = '';
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port) });
    const send = () => {
      if (this.#hasEnded || mustClose) return socket.end();
      isWaiting = true;
      this.requests++;
      return socket.write(this.#requests[client % this.#requests.length] ?? '');
    };
    socket.on('connect', send);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      const [, head, length] = /^(.*?content-length: (\d+).*?\r\n\r\n)/is.exec(received) ?? [];
      if (head === undefined || received.length < head.length + Number(length)) return;
      received = '';
      isWaiting = false;
      mustClose = /\r\nconnection: close\r\n/i.test(head);
      setTimeout(send, client % MAX_PAUSE_MS);
    });
    // Once the service has stopped, connections are refused.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (isWaiting) this.withoutResponse++;
      resolve();
    });
    return promise;
  }

  /** Waits until every client has its last response. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#clients);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
