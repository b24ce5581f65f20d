import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { ListenerSockets, Sockets } from './listener-sockets.ts';

const CHECK_MS = 100;
/** With very many connections, a check takes long. */
const MAX_PART_OF_TIME = 0.05;
/** For the store, Redis, the log, the operator's listener, and connections between two checks. */
const OTHER_FILES = 64;

/** With more open files than these, a metric is not worth the time to look at each. */
const FEW_FILES = 64;

/** Connections that may wait to be accepted: as the runtime sets it, and while there are too many. */
const BACKLOG = 512;
const SHORT_BACKLOG = 16;

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
  readonly #sockets: ListenerSockets;
  readonly #max: number;
  readonly #onClosed: (count: number) => void;
  #timer: Timer;
  /** Open files that are not connections of the listener. */
  #others = 0;
  #isOver = false;

  constructor(sockets: ListenerSockets, max: number, onClosed: (count: number) => void) {
    this.#sockets = sockets;
    this.#max = max;
    this.#onClosed = onClosed;
    this.#list();
    this.#timer = this.#checkIn(CHECK_MS);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  /** Exact if there are few. Otherwise, the number of other files is taken to be the same as before. */
  get connections(): number {
    const files = countOpenFiles();
    if (files <= FEW_FILES) return this.#list().connections.length;
    return Math.max(0, files - this.#others);
  }

  #list(): Sockets {
    const sockets = this.#sockets.list();
    this.#others = sockets.openFiles - sockets.connections.length;
    return sockets;
  }

  #checkIn(pauseMs: number): Timer {
    return setTimeout(() => {
      const beganAtMs = performance.now();
      this.#check();
      const tookMs = performance.now() - beganAtMs;
      this.#timer = this.#checkIn(Math.max(CHECK_MS, tookMs / MAX_PART_OF_TIME));
    }, pauseMs).unref();
  }

  #check(): void {
    if (countOpenFiles() - this.#others <= this.#max && !this.#isOver) return;
    const { listener, connections } = this.#list();
    const excess = connections.length - this.#max;
    this.#setOver(excess > 0, listener);
    if (excess <= 0) return;
    const closed = connections
      .toSorted((a, b) => Number(a.isWaiting) - Number(b.isWaiting) || b.silentMs - a.silentMs)
      .slice(0, excess);
    for (const connection of closed) this.#sockets.close(connection);
    this.#onClosed(excess);
  }

  /** Otherwise connections that wait would take every file before the operator's listener gets one. */
  #setOver(isOver: boolean, listener: number | undefined): void {
    if (isOver === this.#isOver || listener === undefined) return;
    this.#isOver = isOver;
    this.#sockets.setBacklog(listener, isOver ? SHORT_BACKLOG : BACKLOG);
  }
}

/** Before Linux 6.2, they must be listed, which opens one more. */
function countOpenFiles(): number {
  try {
    return statSync('/proc/self/fd').size || readdirSync('/proc/self/fd').length - 1;
  } catch {
    // No file is left to list them.
    return Number.POSITIVE_INFINITY;
  }
}
