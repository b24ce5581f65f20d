import { connect, type Socket } from 'node:net';

/** Only a connection that hangs takes this long. */
const HANG_MS = 120_000;
const STATUS_AT = 'HTTP/1.1 '.length;
const HEAD = /^.*?\r\n\r\n/s;

interface Waiting {
  readonly count: number;
  readonly statuses: number[];
  resolve(statuses: readonly number[]): void;
  reject(error: Error): void;
}

/** A keep-alive connection that sends requests as written. Several can be in flight. */
export class HttpConnection implements AsyncDisposable {
  /** False once the service has closed the connection, or asked the client to. */
  isOpen = true;
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  #received = '';
  #waiting: Waiting | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    socket.setNoDelay(true);
    socket.setTimeout(HANG_MS, () => socket.destroy(new Error('The service does not respond.')));
    socket.on('data', (data) => this.#read(data.toString('latin1')));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => {
      this.isOpen = false;
      this.#waiting?.reject(new Error('The service closed the connection.'));
      resolve();
    });
  }

  static open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    const { promise, resolve, reject } = Promise.withResolvers<HttpConnection>();
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('error', reject);
    socket.once('connect', () => resolve(new HttpConnection(socket)));
    return promise;
  }

  /** Sends requests, and returns the statuses of their responses in the same order. */
  exchange(requests: string, count = 1): Promise<readonly number[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    this.#waiting = { count, statuses: [], resolve, reject };
    this.#socket.write(requests);
    return promise;
  }

  /** Sends requests, and hangs up without reading a response. */
  async abandon(requests: string): Promise<void> {
    this.#socket.write(requests, () => this.#socket.destroy());
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#waiting = undefined;
    this.#socket.end();
    await this.#closed;
  }

  #read(data: string): void {
    this.#received += data;
    if (this.#waiting === undefined) return;
    const { count, statuses, resolve } = this.#waiting;
    while (statuses.length < count) {
      const [head] = HEAD.exec(this.#received) ?? [];
      if (head === undefined) return;
      const [, length = '0'] = /^content-length: (\d+)/im.exec(head) ?? [];
      const end = head.length + Number(length);
      if (end > this.#received.length) return;
      if (/^connection: close\r$/im.test(head)) this.isOpen = false;
      statuses.push(Number(head.slice(STATUS_AT, STATUS_AT + 3)));
      this.#received = this.#received.slice(end);
    }
    this.#waiting = undefined;
    resolve(statuses);
  }
}
