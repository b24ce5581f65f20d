import type { Socket } from 'bun';

/** A response as it arrived, and how long it took from the moment its request was sent. */
export interface Arrival {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

type Settle = (arrival: Arrival | undefined) => void;

/** Undefined stands for a connection that ended without a response. */
export type Arrivals = readonly (Arrival | undefined)[];

interface Connection {
  received: string;
  sentAtMs: number;
  settle: Settle | undefined;
}

/** The header of a response says how long its body is. */
const WHOLE_HEAD = /^HTTP\/1\.1 (\d+).*?\r\ncontent-length: (\d+).*?\r\n\r\n/is;

/** The service closes connections that are idle for longer, perhaps while a request is on its way. */
const MAX_IDLE_MS = 10_000;

/** Clients that send one request again and again. They cost less CPU time than `fetch`. */
export class Load implements Disposable {
  readonly #address: { hostname: string; port: number };
  readonly #request: string;
  readonly #maxConnections: number;
  readonly #connections = new Set<Socket<Connection>>();
  #free: Socket<Connection>[] = [];
  /** Requests without a free connection. */
  #waiting: Settle[] = [];
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
    const socket = this.#takeFree();
    if (socket !== undefined) this.#sendOn(socket, resolve);
    else {
      this.#waiting.push(resolve);
      if (this.#opened < this.#maxConnections) this.#connect();
    }
    return promise;
  }

  /** Closed loop: clients that wait for each response. Returns the responses. */
  async closed(clients: number, count: number): Promise<Arrivals> {
    const arrivals: (Arrival | undefined)[] = [];
    let sent = 0;
    const repeat = async () => {
      while (sent < count) {
        sent++;
        arrivals.push(await this.send());
      }
    };
    await Promise.all(Array.from({ length: clients }, repeat));
    return arrivals;
  }

  /** Open loop: requests at a fixed rate, whether or not responses come. */
  async open(perSecond: number, count: number, step: (count: number) => void): Promise<Arrivals> {
    const arrivals: Promise<Arrival | undefined>[] = [];
    const startMs = performance.now();
    while (arrivals.length < count) {
      const due = Math.min(count, ((performance.now() - startMs) / 1000) * perSecond);
      const before = arrivals.length;
      while (arrivals.length < due) arrivals.push(this.send());
      step(arrivals.length - before);
      await Bun.sleep(1);
    }
    return await Promise.all(arrivals);
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

  #sendOn(socket: Socket<Connection>, settle: Settle): void {
    socket.data.settle = settle;
    socket.data.sentAtMs = performance.now();
    socket.write(this.#request);
  }

  #sendNext(socket: Socket<Connection>): void {
    const next = this.#waiting.pop();
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
          this.#connections.add(socket);
          this.#sendNext(socket);
        },
        data: (socket, data) => this.#receive(socket, data),
        close: end,
        error: end,
      },
    });
    connected.catch(() => {
      this.#opened--;
      this.#waiting.pop()?.(undefined);
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
