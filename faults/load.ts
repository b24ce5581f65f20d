import type { Socket } from 'bun';

/** A response as it arrived, and how long it took, with the wait for a free connection. */
export interface Arrival {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

type Settle = (arrival: Arrival | undefined) => void;

interface Waiting {
  readonly settle: Settle;
  readonly sentAtMs: number;
}

/** Undefined stands for a connection that ended without a response. */
export type Arrivals = readonly (Arrival | undefined)[];

interface Connection {
  received: string;
  sentAtMs: number;
  settle: Settle | undefined;
}

/** The header of a response says how long its body is. */
const WHOLE_HEAD = /^HTTP\/1\.1 (\d+).*?\r\ncontent-length: (\d+).*?\r\n\r\n/is;

/** Only a hang takes this long. */
const HANG_SECONDS = 120;

/** The service closes connections that are idle for longer, perhaps while a request is on its way. */
const MAX_IDLE_MS = 10_000;

/** Clients that send one request again and again. They cost less CPU time than `fetch`. */
export class Load implements Disposable {
  readonly #address: { hostname: string; port: number };
  readonly #request: string;
  readonly #maxConnections: number;
  readonly #connections = new Set<Socket<Connection>>();
  #free: Socket<Connection>[] = [];
  /** Requests without a free connection, oldest first. */
  #waiting: Waiting[] = [];
  #opened = 0;

  constructor(api: string, request: string, maxConnections: number) {
    const { hostname, port } = new URL(api);
    this.#address = { hostname, port: Number(port) };
    this.#request = request;
    this.#maxConnections = maxConnections;
  }

  /** Resolves to undefined if the connection ends without a response. */
  send(): Promise<Arrival | undefined> {
    const { promise, resolve } = Promise.withResolvers<Arrival | undefined>();
    const waiting = { settle: resolve, sentAtMs: performance.now() };
    const socket = this.#takeFree();
    if (socket !== undefined) this.#sendOn(socket, waiting);
    else {
      this.#waiting.push(waiting);
      if (this.#opened < this.#maxConnections) this.#connect();
    }
    return promise;
  }

  /** Closed loop: clients that wait for each response. Returns the responses. */
  async closed(clients: number, count: number, step = () => {}): Promise<Arrivals> {
    const arrivals: (Arrival | undefined)[] = [];
    let sent = 0;
    const repeat = async () => {
      while (sent < count) {
        sent++;
        arrivals.push(await this.send());
        step();
      }
    };
    await Promise.all(Array.from({ length: clients }, repeat));
    return arrivals;
  }

  /** Open loop: requests at a fixed rate, whether or not responses come. Returns the rate reached too. */
  async open(
    perMs: number,
    count: number,
    step: (count: number) => void,
  ): Promise<{ arrivals: Arrivals; perMs: number }> {
    const arrivals: Promise<Arrival | undefined>[] = [];
    const startMs = performance.now();
    while (arrivals.length < count) {
      const due = Math.min(count, (performance.now() - startMs) * perMs);
      const before = arrivals.length;
      while (arrivals.length < due) arrivals.push(this.send());
      step(arrivals.length - before);
      await Bun.sleep(1);
    }
    const reachedPerMs = count / (performance.now() - startMs);
    return { arrivals: await Promise.all(arrivals), perMs: reachedPerMs };
  }

  [Symbol.dispose](): void {
    for (const socket of this.#connections) socket.terminate();
  }

  #takeFree(): Socket<Connection> | undefined {
    const socket = this.#free.pop();
    if (socket === undefined || performance.now() - socket.data.sentAtMs < MAX_IDLE_MS)
      return socket;
    // The others were idle for even longer.
    for (const old of [socket, ...this.#free]) old.terminate();
    return undefined;
  }

  #sendOn(socket: Socket<Connection>, { settle, sentAtMs }: Waiting): void {
    socket.data.settle = settle;
    socket.data.sentAtMs = sentAtMs;
    socket.write(this.#request);
  }

  #sendNext(socket: Socket<Connection>): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(socket);
    else this.#sendOn(socket, next);
  }

  #connect(): void {
    this.#opened++;
    const end = (socket: Socket<Connection>) => {
      if (!this.#connections.delete(socket)) return;
      this.#opened--;
      this.#free = this.#free.filter((other) => other !== socket);
      socket.data.settle?.(undefined);
    };
    const connected = Bun.connect<Connection>({
      ...this.#address,
      data: { received: '', sentAtMs: 0, settle: undefined },
      socket: {
        open: (socket) => {
          socket.timeout(HANG_SECONDS);
          this.#connections.add(socket);
          this.#sendNext(socket);
        },
        data: (socket, data) => this.#receive(socket, data),
        timeout: (socket) => socket.terminate(),
        close: end,
        error: end,
      },
    });
    connected.catch(() => {
      this.#opened--;
      this.#waiting.shift()?.settle(undefined);
    });
  }

  #receive(socket: Socket<Connection>, data: Buffer): void {
    const connection = socket.data;
    connection.received += data.toString('latin1');
    const text = connection.received;
    const [head, status, length] = WHOLE_HEAD.exec(text) ?? [];
    if (head === undefined || text.length < head.length + Number(length)) return;
    connection.received = '';
    const ms = performance.now() - connection.sentAtMs;
    connection.settle?.({ status: Number(status), text, ms });
    connection.settle = undefined;
    this.#sendNext(socket);
  }
}
