import { dlopen, FFIType } from 'bun:ffi';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';

/** The C library of glibc. musl answers to the same name. */
const LIBRARY = 'libc.so.6';
const OPEN_FILES = '/proc/self/fd';
const CHECK_MS = 100;
/** Before Linux 6.2, the open files must be listed to be counted. */
const SLOW_CHECK_MS = 1_000;
/** For the store, Redis, the log, the operator's listener, and connections between two checks. */
const OTHER_FILES = 64;

const TCP = 6;
const TCP_INFO = 11;
const BOTH_DIRECTIONS = 2;
/** Positions in `struct tcp_info` of Linux, in words of four bytes. */
const STATE_AT = 0;
const MS_SINCE_SENT_AT = 11;
const MS_SINCE_RECEIVED_AT = 13;
const SEGMENTS_RECEIVED_AT = 38;
const SEGMENTS_SENT_AT = 39;
const ESTABLISHED = 1;
const LISTENING = 10;

/** Connections that wait to be accepted: as the runtime sets it, and while there are too many. */
const BACKLOG = 512;
const SHORT_BACKLOG = 16;

/** A connection to the listener, or the listener. */
interface Socket {
  readonly descriptor: number;
  readonly state: number;
  /** It has sent something since our last response. */
  readonly isWaiting: boolean;
  readonly silentMs: number;
}

/** Connections that the limit of open files leaves room for. */
export function possibleConnections(databaseConnections: number): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const files = Number(limit ?? Number.POSITIVE_INFINITY);
  return Math.max(files - OTHER_FILES - databaseConnections, Math.floor(files / 2));
}

/**
 * The runtime accepts connections until no file can be opened, and then stops responding on every
 * listener. So this closes connections above the limit, those that were silent the longest first.
 */
export class ConnectionLimit implements Disposable {
  readonly #system: System;
  readonly #port: number;
  readonly #max: number;
  readonly #onClosed: (count: number) => void;
  readonly #timer: Timer;
  /** Given up while the open files are listed, which needs one. */
  #spare: number | undefined = openSpare();
  /** Open files that are not connections of the listener. */
  #others = 0;
  #isOver = false;

  /** Undefined where the system offers no way to do this. */
  static start(
    port: number,
    max: number,
    onClosed: (count: number) => void,
  ): ConnectionLimit | undefined {
    const system = process.platform === 'linux' ? loadSystem() : undefined;
    return system && new ConnectionLimit(system, port, max, onClosed);
  }

  private constructor(
    system: System,
    port: number,
    max: number,
    onClosed: (count: number) => void,
  ) {
    this.#system = system;
    this.#port = port;
    this.#max = max;
    this.#onClosed = onClosed;
    const everyMs = statSync(OPEN_FILES).size > 0 ? CHECK_MS : SLOW_CHECK_MS;
    this.#timer = setInterval(() => this.#check(), everyMs).unref();
  }

  #check(): void {
    const open = statSync(OPEN_FILES).size;
    if (open > 0 && open - this.#others <= this.#max && !this.#isOver) return;
    const files = this.#listFiles();
    const sockets = files.flatMap((descriptor) => this.#inspect(descriptor) ?? []);
    const connections = sockets.filter(({ state }) => state === ESTABLISHED);
    this.#others = files.length - connections.length;
    this.#setOver(connections.length > this.#max, sockets);
    if (!this.#isOver) return;
    connections.sort(
      (a, b) => Number(a.isWaiting) - Number(b.isWaiting) || b.silentMs - a.silentMs,
    );
    const closed = connections.slice(0, connections.length - this.#max);
    // The runtime then closes them, as if the clients had.
    for (const { descriptor } of closed) this.#system.shutdown(descriptor, BOTH_DIRECTIONS);
    this.#onClosed(closed.length);
  }

  /** Otherwise connections that wait would take every file before the operator's listener gets one. */
  #setOver(isOver: boolean, sockets: readonly Socket[]): void {
    if (isOver === this.#isOver) return;
    this.#isOver = isOver;
    const listener = sockets.find(({ state }) => state === LISTENING);
    if (listener !== undefined) {
      this.#system.listen(listener.descriptor, isOver ? SHORT_BACKLOG : BACKLOG);
    }
  }

  #listFiles(): number[] {
    if (this.#spare !== undefined) closeSync(this.#spare);
    try {
      return readdirSync(OPEN_FILES).map(Number);
    } catch {
      return [];
    } finally {
      this.#spare = openSpare();
    }
  }

  /** Undefined for anything but the listener and its connections. */
  #inspect(descriptor: number): Socket | undefined {
    const { getsockname, getsockopt } = this.#system;
    const address = new Uint8Array(128);
    const addressLength = new Uint32Array([address.byteLength]);
    if (getsockname(descriptor, address, addressLength) !== 0) return undefined;
    const [, , portHigh = 0, portLow = 0] = address;
    if (portHigh * 256 + portLow !== this.#port) return undefined;
    const info = new Uint32Array(64);
    const infoLength = new Uint32Array([info.byteLength]);
    if (getsockopt(descriptor, TCP, TCP_INFO, info, infoLength) !== 0) return undefined;
    const [sentMs = 0, receivedMs = 0] = [info[MS_SINCE_SENT_AT], info[MS_SINCE_RECEIVED_AT]];
    // The times have a resolution of 4 ms, so a first request can seem as old as its connection.
    const isWaiting =
      info[SEGMENTS_RECEIVED_AT] !== 0 && (info[SEGMENTS_SENT_AT] === 0 || receivedMs < sentMs);
    return {
      descriptor,
      state: (info[STATE_AT] ?? 0) & 0xff,
      isWaiting,
      silentMs: Math.min(sentMs, receivedMs),
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#spare !== undefined) closeSync(this.#spare);
  }
}

function openSpare(): number | undefined {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return undefined;
  }
}

type System = NonNullable<ReturnType<typeof loadSystem>>;

function loadSystem() {
  const { i32, ptr } = FFIType;
  try {
    return dlopen(LIBRARY, {
      getsockname: { args: [i32, ptr, ptr], returns: i32 },
      getsockopt: { args: [i32, i32, i32, ptr, ptr], returns: i32 },
      listen: { args: [i32, i32], returns: i32 },
      shutdown: { args: [i32, i32], returns: i32 },
    }).symbols;
  } catch {
    return undefined;
  }
}
