/**
 * A Map of bounded size, for what is asked for most. Half of it is recent; when that half is full,
 * all that was not asked for since the last time goes at once, which costs less than to keep an order.
 */
export class RecentMap<Key, Value> {
  readonly #most: number;
  #recent = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** More was put in than fits into one half. */
  get isCrowded(): boolean {
    return this.#older.size > 0;
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** Does not count as asking for it: nothing gives way. */
  peek(key: Key): Value | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#most / 2 && !this.#recent.has(key)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }

  delete(key: Key): void {
    this.#recent.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#recent.clear();
    this.#older.clear();
  }

  /** The latest value of each key. */
  entries(): Map<Key, Value> {
    return new Map([...this.#older, ...this.#recent]);
  }
}
