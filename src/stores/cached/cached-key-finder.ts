import type { KeyFinder, KnownKey } from '../../domain/api-key.ts';
import type { Revision } from '../../domain/backend.ts';
import { StoreUnavailableError } from '../../domain/error.ts';
import { LruCache } from './lru-cache.ts';

/** About 30 MB when full. */
const MAX_KEYS = 100_000;
const MAX_UNKNOWN = 500;

/** While the store is away, its keys stay valid for this long. */
const KEPT_WITHOUT_STORE_MS = 60_000;

interface Entry {
  readonly known: KnownKey;
  readonly revision: number;
  readonly readAtMs: number;
}

/** Caches keys in front of a store until its revision changes. */
export function cachedKeyFinder(
  keys: KeyFinder,
  { changes, writes }: Revision,
  now: () => number,
): KeyFinder {
  const entries = new LruCache<string, Entry>(MAX_KEYS);
  /** Hashes that no key had, with the number of writes at the time. */
  const unknown = new LruCache<string, number>(MAX_UNKNOWN);
  const reads = new Map<string, Promise<KnownKey | undefined>>();

  function readKey(secret: string, hash: string, revision: number, entry: Entry | undefined) {
    const written = writes?.();
    if (written !== undefined && unknown.get(hash) === written) return undefined;

    const underWay = reads.get(hash);
    if (underWay !== undefined) return underWay;
    const readAtMs = now();
    const keep = (known: KnownKey | undefined) => {
      if (known !== undefined) entries.set(hash, { known, revision, readAtMs });
      else {
        entries.delete(hash);
        if (written !== undefined) unknown.set(hash, written);
      }
      return known;
    };
    const found = keys.findKey(secret);
    if (!(found instanceof Promise)) return keep(found);
    // Concurrent requests with the same key share one read.
    const read = found
      .then(keep, (error) => recentKey(entry, readAtMs, error))
      .finally(() => reads.delete(hash));
    reads.set(hash, read);
    return read;
  }

  return {
    findKey(secret) {
      // A secret never stays in memory.
      const hash = Bun.SHA256.hash(secret, 'latin1');
      const revision = changes();
      const entry = entries.get(hash);
      return entry?.revision === revision ? entry.known : readKey(secret, hash, revision, entry);
    },
  };
}

/** The cached key, if the store is away and the entry is recent. Else throws the error. */
function recentKey(entry: Entry | undefined, nowMs: number, error: unknown): KnownKey {
  const ageMs = nowMs - (entry?.readAtMs ?? Number.NEGATIVE_INFINITY);
  const isRecent = ageMs >= 0 && ageMs < KEPT_WITHOUT_STORE_MS;
  if (entry !== undefined && isRecent && error instanceof StoreUnavailableError) return entry.known;
  throw error;
}
