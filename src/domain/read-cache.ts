/** Remembers what was read from a store, for as long as its revision stays the same. */
export class ReadCache<Key, Value> {
  readonly #revision: () => number;
  readonly #most: number;
  #recent = new Map<Key, Value>();
  #older = new Map<Key, Value>();
  #readAt = 0;

  /** `most` bounds how many values are remembered. */
  constructor(revision: () => number, most: number) {
    this.#revision = revision;
    this.#most = most;
  }

  /** Undefined when it must be read. */
  recall(key: Key): Value | undefined {
    const revision = this.#revision();
    if (revision !== this.#readAt) {
      this.#recent.clear();
      this.#older.clear();
      this.#readAt = revision;
    }
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.remember(key, older);
    return older;
  }

  /** Half of the values are recent. When these are full, the older half goes at once. */
  remember(key: Key, value: Value): void {
    if (this.#recent.size >= this.#most / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
