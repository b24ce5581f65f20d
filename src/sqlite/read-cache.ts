/** Remembers what was read from the file until somebody writes to it. */
export class ReadCache<Key, Value> {
  readonly #version: { read(): number };
  readonly #most: number;
  readonly #values = new Map<Key, Value>();
  #readAt = 0;

  /** `most` bounds how many values are remembered; beyond that, it begins again. */
  constructor(version: { read(): number }, most: number) {
    this.#version = version;
    this.#most = most;
  }

  /** What does not exist is not remembered, so made-up keys and identifiers cost no memory. */
  get(key: Key, read: () => Value | undefined): Value | undefined {
    const version = this.#version.read();
    if (version !== this.#readAt) {
      this.#values.clear();
      this.#readAt = version;
    }
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = read();
    if (value === undefined) return undefined;
    if (this.#values.size === this.#most) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}
