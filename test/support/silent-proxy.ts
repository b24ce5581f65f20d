import { connect, createServer, type Server, type Socket } from 'node:net';

/** Passes connections on, until it is told to let the open ones fall silent without closing them. */
export class SilentProxy implements AsyncDisposable {
  readonly #server: Server;
  #pairs: [Socket, Socket][] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(hostname: string, port: number): Promise<SilentProxy> {
    const server = createServer();
    const proxy = new SilentProxy(server);
    server.on('connection', (client) => {
      const upstream = connect(port, hostname);
      for (const socket of [client, upstream]) socket.on('error', () => {});
      client.pipe(upstream).pipe(client);
      proxy.#pairs.push([client, upstream]);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  silenceOpenConnections(): void {
    for (const [client, upstream] of this.#pairs) {
      client.unpipe(upstream);
      upstream.unpipe(client);
      client.resume();
      upstream.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy();
    this.#pairs = [];
    this.#server.close();
  }
}
