import { dlopen, FFIType, ptr } from 'bun:ffi';
import { closeSync, openSync, readdirSync } from 'node:fs';

/** The C library of glibc. musl answers to the same name. */
const LIBRARY = 'libc.so.6';
const SOCKET = 1;
const ATTACH_FILTER = 26;
const TCP = 6;
const TCP_INFO = 11;
const BOTH_DIRECTIONS = 2;
const IPV4 = 2;
/** As many as any address of a socket needs, and any IP address as text. */
const ADDRESS_BYTES = 128;

/** Positions in `struct tcp_info` of Linux, in words of four bytes. */
const STATE_AT = 0;
const MS_SINCE_SENT_AT = 11;
const MS_SINCE_RECEIVED_AT = 13;
const SEGMENTS_RECEIVED_AT = 38;
const SEGMENTS_SENT_AT = 39;
const ESTABLISHED = 1;
const LISTENING = 10;

/** A BPF program that drops packets with the flag SYN and keeps all others. */
const DROP_SYN = new Uint16Array([
  ...[0x30, 0, 13, 0], // load the flags of the packet
  ...[0x45, 0x0100, 2, 0], // if SYN is not set, skip one instruction
  ...[0x06, 0, 0, 0], // drop it
  ...[0x06, 0, 0xffff, 0xffff], // keep it
]);

export interface Connection {
  readonly descriptor: number;
  /** Nothing has arrived yet. */
  readonly isUnused: boolean;
  /** It has sent something since our last response. */
  readonly isWaiting: boolean;
  readonly silentMs: number;
}

export interface Sockets {
  /** Undefined after the listener is closed. */
  readonly listener: number | undefined;
  readonly connections: readonly Connection[];
  /** Files that the process has open, sockets included. */
  readonly openFiles: number;
}

/** What the runtime does not offer for the sockets of its listener. Works on Linux only. */
export class ListenerSockets implements Disposable {
  readonly #system: System;
  readonly #port: number;
  /** Given up while the open files are listed, which needs one. */
  #spare: number | undefined = openSpare();

  /** Undefined where the system offers no way to do this. */
  static open(port: number): ListenerSockets | undefined {
    const system = process.platform === 'linux' ? loadSystem() : undefined;
    return system && new ListenerSockets(system, port);
  }

  private constructor(system: System, port: number) {
    this.#system = system;
    this.#port = port;
  }

  list(): Sockets {
    const files = this.#listFiles();
    let listener: number | undefined;
    const connections: Connection[] = [];
    for (const descriptor of files) {
      if (this.#portOf(descriptor) !== this.#port) continue;
      const info = this.#infoOf(descriptor);
      const state = (info[STATE_AT] ?? 0) & 0xff;
      if (state === LISTENING) listener = descriptor;
      if (state === ESTABLISHED) connections.push(connectionFrom(descriptor, info));
    }
    return { listener, connections, openFiles: files.length };
  }

  /** The runtime then closes the connection, as if the client had. */
  close({ descriptor }: Connection): void {
    this.#system.shutdown(descriptor, BOTH_DIRECTIONS);
  }

  /** Closes the connection of a client. False if it was not found. */
  closePeer(address: string, port: number): boolean {
    const descriptor = this.#listFiles().find(
      (file) => this.#isPeer(file, address, port) && this.#portOf(file) === this.#port,
    );
    if (descriptor === undefined) return false;
    this.#system.shutdown(descriptor, BOTH_DIRECTIONS);
    return true;
  }

  /** Sets how many connections may wait to be accepted. */
  setBacklog(listener: number, length: number): void {
    this.#system.listen(listener, length);
  }

  /** From now on, clients that connect get no response. Those that are connected are accepted. */
  ignoreNewConnections(): void {
    const { listener } = this.list();
    if (listener === undefined) return;
    const program = new BigUint64Array([BigInt(DROP_SYN.length / 4), BigInt(ptr(DROP_SYN))]);
    this.#system.setsockopt(listener, SOCKET, ATTACH_FILTER, program, program.byteLength);
  }

  [Symbol.dispose](): void {
    if (this.#spare !== undefined) closeSync(this.#spare);
    this.#spare = undefined;
  }

  #listFiles(): number[] {
    if (this.#spare !== undefined) closeSync(this.#spare);
    try {
      return readdirSync('/proc/self/fd').map(Number);
    } catch {
      return [];
    } finally {
      this.#spare = openSpare();
    }
  }

  /** Undefined if the file is not a socket. */
  #portOf(descriptor: number): number | undefined {
    const address = new Uint8Array(ADDRESS_BYTES);
    const length = new Uint32Array([address.byteLength]);
    if (this.#system.getsockname(descriptor, address, length) !== 0) return undefined;
    return portIn(address);
  }

  #isPeer(descriptor: number, address: string, port: number): boolean {
    const peer = new Uint8Array(ADDRESS_BYTES);
    const length = new Uint32Array([peer.byteLength]);
    if (this.#system.getpeername(descriptor, peer, length) !== 0) return false;
    // Almost every other connection ends here.
    if (portIn(peer) !== port) return false;
    const [family = 0] = peer;
    const text = new Uint8Array(ADDRESS_BYTES);
    const bytes = peer.subarray(family === IPV4 ? 4 : 8);
    this.#system.inet_ntop(family, bytes, text, text.byteLength);
    const [name = ''] = new TextDecoder().decode(text).split('\0');
    return withoutMapping(name) === withoutMapping(address);
  }

  /** Shorter where an old kernel knows less. */
  #infoOf(descriptor: number): Uint32Array {
    const info = new Uint32Array(64);
    const length = new Uint32Array([info.byteLength]);
    this.#system.getsockopt(descriptor, TCP, TCP_INFO, info, length);
    return info.subarray(0, Math.floor((length[0] ?? 0) / info.BYTES_PER_ELEMENT));
  }
}

function portIn([, , high = 0, low = 0]: Uint8Array): number {
  return high * 256 + low;
}

/** A listener for both protocols sees an IPv4 address as one of IPv6. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

function connectionFrom(descriptor: number, info: Uint32Array): Connection {
  const [sentMs = 0, receivedMs = 0] = [info[MS_SINCE_SENT_AT], info[MS_SINCE_RECEIVED_AT]];
  const isUnused = info[SEGMENTS_RECEIVED_AT] === 0;
  // The times have a resolution of 4 ms, so a first request can seem as old as its connection.
  const isWaiting = !isUnused && (info[SEGMENTS_SENT_AT] === 0 || receivedMs < sentMs);
  return { descriptor, isUnused, isWaiting, silentMs: Math.min(sentMs, receivedMs) };
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
      getpeername: { args: [i32, ptr, ptr], returns: i32 },
      getsockname: { args: [i32, ptr, ptr], returns: i32 },
      getsockopt: { args: [i32, i32, i32, ptr, ptr], returns: i32 },
      inet_ntop: { args: [i32, ptr, ptr, i32], returns: ptr },
      listen: { args: [i32, i32], returns: i32 },
      setsockopt: { args: [i32, i32, i32, ptr, i32], returns: i32 },
      shutdown: { args: [i32, i32], returns: i32 },
    }).symbols;
  } catch {
    return undefined;
  }
}
