import type { KeyFinder, KnownKey } from '../../domain/api-key.ts';
import { StoreUnavailableError } from '../../domain/error.ts';
import type { Revision } from '../../domain/revision.ts';
import { LruCache } from './lru-cache.ts';

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
  readonly #entries = new LruCache<string, Entry>(MAX_KEYS);
  /** Hashes that no key had, with the number of writes at the time. */
  readonly #unknown = new LruCache<string, number>(MAX_UNKNOWN);
  readonly #reads = new Map<string, Promise<KnownKey | undefined>>();

  constructor(keys: KeyFinder, revision: Revision, now: () => number) {
    this.#keys = keys;
    this.#revision = revision;
    this.#now = now;
  }

  findKey(secret: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    // A secret never stays in memory.
    const hash = Bun.SHA256.hash(secret, 'latin1');
    const revision = this.#revision.changes();
    const entry = this.#entries.get(hash);
    if (entry?.revision === revision) return entry.known;
    const writes = this.#revision.writes?.();
    if (writes !== undefined && this.#unknown.get(hash) === writes) return undefined;

    const underWay = this.#reads.get(hash);
    if (underWay !== undefined) return underWay;
    const readAtMs = this.#now();
    const keep = (known: KnownKey | undefined) => {
      if (known !== undefined) this.#entries.set(hash, { known, revision, readAtMs });
      else {
        this.#entries.delete(hash);
        if (writes !== undefined) this.#unknown.set(hash, writes);
      }
      return known;
    };
    const found = this.#keys.findKey(secret);
    if (!(found instanceof Promise)) return keep(found);
    // Concurrent requests with the same key share one read.
    const read = found
      .then(keep, (error) => recentKey(entry, readAtMs, error))
      .finally(() => this.#reads.delete(hash));
    this.#reads.set(hash, read);
    return read;
  }
}

/** The cached key, if the store is away and the entry is recent. Else throws the error. */
function recentKey(entry: Entry | undefined, nowMs: number, error: unknown): KnownKey {
  const ageMs = nowMs - (entry?.readAtMs ?? Number.NEGATIVE_INFINITY);
  const isRecent = ageMs >= 0 && ageMs < KEPT_WITHOUT_STORE_MS;
  if (entry !== undefined && isRecent && error instanceof StoreUnavailableError) return entry.known;
  throw error;
}
