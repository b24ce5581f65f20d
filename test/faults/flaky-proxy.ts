import { connect, createServer, type Server, type Socket } from 'node:net';

interface Faults {
  /** How long to hold back a chunk of a response. Chunks stay in order. */
  readonly delayMs?: () => number;
  /** Closes the connection instead of forwarding a chunk of a request. */
  readonly dropRequest?: (text: string) => boolean;
  /** Closes the connection instead of forwarding the next response. */
  readonly dropResponseTo?: (text: string) => boolean;
}

interface Connection {
  isSilent: boolean;
  close(): void;
}

/** Forwards connections to a server, with faults. */
export class FlakyProxy implements AsyncDisposable {
  #target: URL;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();

  private constructor(target: URL, server: Server) {
    this.#target = target;
    this.#server = server;
  }

  static async start(target: string | URL, faults: Faults = {}): Promise<FlakyProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new FlakyProxy(new URL(target), server);
    server.on('connection', (client) => proxy.#forward(client, faults));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL of the server, with the address of the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String((this.#server.address() as { port: number }).port);
    return url.href;
  }

  /** Sends new connections to another server. Open connections stay with the old one. */
  switchTo(target: URL): void {
    this.#target = target;
  }

  /** Keeps the open connections open, but forwards nothing more. New connections work. */
  silenceOpenConnections(): void {
    for (const connection of this.#connections) connection.isSilent = true;
  }

  #forward(client: Socket, { delayMs, dropRequest, dropResponseTo }: Faults): void {
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    const close = () => {
      client.destroy();
      upstream.destroy();
      this.#connections.delete(connection);
    };
    const connection: Connection = { isSilent: false, close };
    this.#connections.add(connection);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      // A network that is down does not tell the other side that a connection was closed.
      socket.on('close', () => connection.isSilent || close());
    }
    let isResponseLost = false;
    let lastAtMs = 0;
    client.on('data', (chunk) => {
      if (connection.isSilent) return;
      const text = chunk.toString();
      if (dropRequest?.(text)) {
        close();
        return;
      }
      isResponseLost ||= dropResponseTo?.(text) ?? false;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (connection.isSilent) return;
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
    for (const connection of this.#connections) connection.close();
    this.#server.close();
  }
}
