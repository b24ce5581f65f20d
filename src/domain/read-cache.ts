import { type Awaitable, whenReady } from './awaitable.ts';

/**
 * Where more is asked for than fits, only one in so many newcomers is let in. To exchange all of it
 * again and again would find nothing, and leave garbage that takes long to collect.
 */
const NEWCOMERS_PER_ADMISSION = 8;

/** Remembers what was read from a store, for as long as its revision stays the same. */
export class ReadCache<Key, Value> {
  readonly #revision: () => number;
  readonly #most: number;
  readonly #isWorthIt: (value: Value) => boolean;
  #recent = new Map<Key, Value>();
  #older = new Map<Key, Value>();
  #readAt = 0;
  #newcomers = 0;

  /** `most` bounds how many values are remembered, and `isWorthIt` which ones. */
  constructor(
    revision: () => number,
    most: number,
    isWorthIt: (value: Value) => boolean = () => true,
  ) {
    this.#revision = revision;
    this.#most = most;
    this.#isWorthIt = isWorthIt;
  }

  /** What is remembered, else what is read now. What does not exist is not remembered. */
  recallOrRead<Read extends Value | undefined>(
    key: Key,
    read: () => Awaitable<Read>,
  ): Awaitable<Value | Read> {
    const known = this.recall(key);
    if (known !== undefined) return known;
    const askedAt = this.#readAt;
    return whenReady(read(), (value) => {
      // What was on its way while something changed may be of before.
      if (value !== undefined && this.#revision() === askedAt) this.remember(key, value);
      return value;
    });
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
    if (older !== undefined) this.#keep(key, older);
    return older;
  }

  remember(key: Key, value: Value): void {
    if (!this.#isWorthIt(value)) return;
    const isCrowded = this.#older.size > 0;
    if (!isCrowded || ++this.#newcomers % NEWCOMERS_PER_ADMISSION === 0) this.#keep(key, value);
  }

  /** Half of the values are recent. When these are full, the older half goes at once. */
  #keep(key: Key, value: Value): void {
    if (this.#recent.size >= this.#most / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
