const NEW_ENTRIES_PER_ADMISSION = 8;

/**
 * Keeps up to `maxSize` values. Once it is full, it admits only one in eight new entries, each in the place of the
 * oldest. If far more is requested than fits, a cache that admitted everything would hardly ever have the requested
 * entry, and would take 10 % of the CPU time of a getPet.
 */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #maxSize: number;
  #newEntries = 0;
  /**
   * The keys, the oldest first. This iterator is kept, because a new one would have to skip the places of all deleted
   * entries.
   */
  #keys: MapIterator<Key> | undefined;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** May or may not add a new entry, but always replaces an entry that it has. */
  offer(key: Key, value: Value): void {
    if (this.#entries.size >= this.#maxSize && !this.#entries.has(key)) {
      if (++this.#newEntries % NEW_ENTRIES_PER_ADMISSION !== 0) return;
      this.#keys ??= this.#entries.keys();
      const oldest = this.#keys.next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, value);
  }
}
