import QuickLRU from 'quick-lru';
import type { KeyFinder, KnownKey } from '../domain/api-key.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import { hashSecretToHex } from '../domain/key-secret.ts';
import type { Revision } from '../domain/revision.ts';

const MAX_KEYS = 5_000;
const MAX_UNKNOWN = 500;

/** While the store is away, its keys stay valid for this long. */
const KEPT_WITHOUT_STORE_MS = 60_000;

interface Entry {
  readonly known: KnownKey;
  readonly revision: number;
  readonly readAtMs: number;
}

/** Caches keys in front of a store until its revision changes. */
export class CachedKeyFinder implements KeyFinder {
  readonly #keys: KeyFinder;
  readonly #revision: Revision;
  readonly #now: () => number;
  readonly #entries = new QuickLRU<string, Entry>({ maxSize: MAX_KEYS });
  /** Hashes that no key had, with the number of writes at the time. */
  readonly #unknown = new QuickLRU<string, number>({ maxSize: MAX_UNKNOWN });
  readonly #reads = new Map<string, Promise<KnownKey | undefined>>();

  constructor(keys: KeyFinder, revision: Revision, now: () => number) {
    this.#keys = keys;
    this.#revision = revision;
    this.#now = now;
  }

  findKey(secret: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    // A secret never stays in memory.
    const hash = hashSecretToHex(secret);
    const entry = this.#entries.get(hash);
    const { changes, writes } = this.#revision;
    if (entry?.revision === changes()) return entry.known;
    if (writes !== undefined && this.#unknown.get(hash) === writes()) return undefined;
    return this.#reads.get(hash) ?? this.#shareRead(hash, secret, entry);
  }

  /** Concurrent requests with the same key share one read. */
  #shareRead(hash: string, secret: string, entry?: Entry): Promise<KnownKey | undefined> {
    const read = this.#read(hash, secret, entry).finally(() => this.#reads.delete(hash));
    this.#reads.set(hash, read);
    return read;
  }

  async #read(hash: string, secret: string, entry?: Entry): Promise<KnownKey | undefined> {
    const revision = this.#revision.changes();
    const writes = this.#revision.writes?.();
    const readAtMs = this.#now();
    try {
      const known = await this.#keys.findKey(secret);
      if (known !== undefined) this.#entries.set(hash, { known, revision, readAtMs });
      else {
        this.#entries.delete(hash);
        if (writes !== undefined) this.#unknown.set(hash, writes);
      }
      return known;
    } catch (error) {
      const ageMs = readAtMs - (entry?.readAtMs ?? Number.NEGATIVE_INFINITY);
      const isKept = ageMs >= 0 && ageMs < KEPT_WITHOUT_STORE_MS;
      if (error instanceof StoreUnavailableError && isKept) return entry?.known;
      throw error;
    }
  }
}
