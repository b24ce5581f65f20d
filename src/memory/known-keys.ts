import type { KeyDirectory, KeyFinder, KnownKey } from '../domain/api-key.ts';
import { AppError } from '../domain/error.ts';

/** Revocations must hold within a second, so what is known is looked up again after half of one. */
const FRESH_MS = 500;
const KEPT_WITHOUT_STORE_MS = 60_000;
const MOST_KEYS = 10_000;

interface Entry {
  readonly known: KnownKey;
  readonly seenAtMs: number;
}

/**
 * Remembers keys for a moment, in front of a store that is a network away; for a minute, when that
 * cannot be reached. Keys that do not exist are never remembered, so made-up ones cost no memory.
 */
export class KnownKeys implements KeyDirectory {
  readonly #keys: KeyFinder;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<KnownKey | undefined>>();

  constructor(keys: KeyFinder, now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  recallKey(hash: Uint8Array): KnownKey | undefined {
    const entry = this.#entries.get(hash.toHex());
    return entry !== undefined && this.#isYounger(entry, FRESH_MS) ? entry.known : undefined;
  }

  async findKey(hash: Uint8Array): Promise<KnownKey | undefined> {
    const name = hash.toHex();
    const entry = this.#entries.get(name);
    try {
      return this.recallKey(hash) ?? (await (this.#underWay.get(name) ?? this.#lookUp(name, hash)));
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'service_unavailable';
      if (isAway && entry !== undefined && this.#isYounger(entry, KEPT_WITHOUT_STORE_MS)) {
        return entry.known;
      }
      throw error;
    }
  }

  /** Requests that come together share one look-up. */
  #lookUp(name: string, hash: Uint8Array): Promise<KnownKey | undefined> {
    const seenAtMs = this.#now();
    const promise = Promise.try(() => this.#keys.findKey(hash))
      .then((known) => {
        this.#entries.delete(name);
        if (known !== undefined) this.#remember(name, { known, seenAtMs });
        return known;
      })
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, promise);
    return promise;
  }

  #remember(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    if (this.#entries.size <= MOST_KEYS) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** What was seen in the future, by a clock that was then set back, is not young. */
  #isYounger({ seenAtMs }: Entry, milliseconds: number): boolean {
    const age = this.#now() - seenAtMs;
    return age >= 0 && age < milliseconds;
  }
}
