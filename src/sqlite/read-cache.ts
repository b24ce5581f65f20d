/** Remembers what was read from the file until something in it changes. */
export class ReadCache<Key, Value> {
  readonly #revision: { read(): number };
  readonly #most: number;
  readonly #values = new Map<Key, Value>();
  #readAt = 0;

  /** `most` bounds how many values are remembered: the oldest gives way. */
  constructor(revision: { read(): number }, most: number) {
    this.#revision = revision;
    this.#most = most;
  }

  /** What does not exist is not remembered, so made-up keys and identifiers cost no memory. */
  get(key: Key, read: () => Value | undefined): Value | undefined {
    const revision = this.#revision.read();
    if (revision !== this.#readAt) {
      this.#values.clear();
      this.#readAt = revision;
    }
    return this.#values.get(key) ?? this.#remember(key, read());
  }

  #remember(key: Key, value: Value | undefined): Value | undefined {
    if (value === undefined) return undefined;
    if (this.#values.size === this.#most) {
      const [oldest] = this.#values.keys();
      this.#values.delete(oldest as Key);
    }
    this.#values.set(key, value);
    return value;
  }
}
