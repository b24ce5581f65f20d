import { type Awaitable, whenReady } from './awaitable.ts';
import { RecentMap } from './recent-map.ts';

/**
 * Where more is asked for than fits, only one in so many newcomers is let in. To exchange all of it
 * again and again would find nothing, and leave garbage that takes long to collect.
 */
const NEWCOMERS_PER_ADMISSION = 8;

/** Remembers what was read from a store, for as long as its revision stays the same. */
export class ReadCache<Key, Value> {
  readonly #revision: () => number;
  readonly #isWorthIt: (value: Value) => boolean;
  readonly #values: RecentMap<Key, Value>;
  #readAt = 0;
  #newcomers = 0;

  /** `most` bounds how many values are remembered, and `isWorthIt` which ones. */
  constructor(
    revision: () => number,
    most: number,
    isWorthIt: (value: Value) => boolean = () => true,
  ) {
    this.#revision = revision;
    this.#isWorthIt = isWorthIt;
    this.#values = new RecentMap(most);
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
      this.#values.clear();
      this.#readAt = revision;
    }
    return this.#values.get(key);
  }

  remember(key: Key, value: Value): void {
    if (!this.#isWorthIt(value)) return;
    const isLetIn = !this.#values.isCrowded || ++this.#newcomers % NEWCOMERS_PER_ADMISSION === 0;
    if (isLetIn) this.#values.set(key, value);
  }
}
