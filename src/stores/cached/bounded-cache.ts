const NEW_ENTRIES_PER_ADMISSION = 8;

/**
 * Keeps at most so many values. A full one takes one in eight new entries, in place of its oldest. When
 * far more is requested than fits, caching all of it would find nothing, and takes 10 % of the CPU time
 * of a getPet.
 */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #maxSize: number;
  #newEntries = 0;
  /** The oldest first. Kept, since another one would have to pass the places of all deleted entries. */
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

  /** Takes a value, or not. An entry that the cache has is always replaced. */
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
