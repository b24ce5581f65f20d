const NEW_ENTRIES_PER_ADMISSION = 8;

/**
 * A map with at most so many entries. In a full one, one in eight new entries replaces the oldest. When
 * far more is requested than fits, caching all of it would find nothing, and takes 10 % of the CPU time
 * of a getPet.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number;
  #newEntries = 0;
  /** The oldest first. Kept, since another one would have to pass the places of all deleted entries. */
  #keys: MapIterator<Key> | undefined;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: Key, value: Value): this {
    if (this.size < this.#maxSize || this.has(key)) return super.set(key, value);
    if (++this.#newEntries % NEW_ENTRIES_PER_ADMISSION !== 0) return this;
    this.#keys ??= this.keys();
    const oldest = this.#keys.next();
    if (!oldest.done) this.delete(oldest.value);
    return super.set(key, value);
  }

  override clear(): void {
    // It would keep the entries in memory.
    this.#keys = undefined;
    super.clear();
  }
}
