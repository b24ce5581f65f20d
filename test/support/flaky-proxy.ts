import { connect, createServer, type Server, type Socket } from 'node:net';

interface Faults {
  /** How long a chunk of a response is held back. Chunks stay in order. */
  readonly delayMs?: () => number;
  /** Closes the connection instead of passing a chunk of a request on. */
  readonly dropRequest?: (text: string) => boolean;
  /** Closes the connection instead of passing the next response on. */
  readonly dropResponseTo?: (text: string) => boolean;
}

/** Passes connections on to a port of loopback, with faults. */
export class FlakyProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(port: number, faults: Faults): Promise<FlakyProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new FlakyProxy(server);
    server.on('connection', (client) => proxy.#pass(client, port, faults));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  #pass(client: Socket, port: number, { delayMs, dropRequest, dropResponseTo }: Faults): void {
    const upstream = connect(port, '127.0.0.1');
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', close);
    }
    let isResponseLost = false;
    let lastAtMs = 0;
    client.on('data', (chunk) => {
      const text = chunk.toString();
      if (dropRequest?.(text)) {
        close();
        return;
      }
      isResponseLost ||= dropResponseTo?.(text) ?? false;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isResponseLost) {
        close();
        return;
      }
      const nowMs = performance.now();
      lastAtMs = Math.max(lastAtMs, nowMs + (delayMs?.() ?? 0));
      setTimeout(() => client.write(chunk), lastAtMs - nowMs);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
