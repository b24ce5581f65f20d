/** A value that takes long to read. Concurrent readers share one read, and its result for a while. */
export class Fresh<T> {
  readonly #keptMs: number;
  readonly #now: () => number;
  readonly #read: () => Promise<T>;
  #last: { readonly value: Promise<T>; readonly readAtMs: number } | undefined;

  constructor(keptMs: number, now: () => number, read: () => Promise<T>) {
    this.#keptMs = keptMs;
    this.#now = now;
    this.#read = read;
  }

  get(): Promise<T> {
    const nowMs = this.#now();
    const last = this.#last;
    if (last !== undefined && Math.abs(nowMs - last.readAtMs) < this.#keptMs) return last.value;
    const read = { value: this.#read(), readAtMs: nowMs };
    this.#last = read;
    // The next reader tries again.
    read.value.catch(() => {
      if (this.#last === read) this.#last = undefined;
    });
    return read.value;
  }
}
