const NEW_ENTRIES_PER_ADMISSION = 8;

/**
 * Keeps up to `maxSize` values. Once it is full, it admits only one in eight new entries, each in the place of the
 * oldest. If clients request far more different entries than fit, a cache that admitted all of them would evict nearly
 * every entry before it is requested again. Filling it would take 10 % of the CPU time of a getPet, for almost no hits.
 */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  #newEntries = 0;
  /**
   * The keys, the oldest first. This iterator is kept, because a new one would have to skip the places of all deleted
   * entries.
   */
  #keys: MapIterator<Key> | undefined;

  constructor(private readonly maxSize: number) {}

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Replaces the value of a key that is in the cache. May or may not add a key that is not. */
  offer(key: Key, value: Value): void {
    if (this.#entries.size >= this.maxSize && !this.#entries.has(key)) {
      if (++this.#newEntries % NEW_ENTRIES_PER_ADMISSION !== 0) return;
      this.#keys ??= this.#entries.keys();
      const oldest = this.#keys.next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, value);
  }
}
