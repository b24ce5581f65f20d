import type { KeyFinder, KnownKey } from '../../domain/api-key.ts';
import type { Revision } from '../../domain/backend.ts';
import { StoreUnavailableError } from '../../domain/error.ts';
import { BoundedCache } from './bounded-cache.ts';

/** About 90 MB when full. */
const MAX_KEYS = 200_000;
const MAX_UNKNOWN = 1_000;

/** While the store is away, its keys stay valid for this long. */
const KEPT_WITHOUT_STORE_MS = 60_000;

/** A key with the revision and the time from before it was read, in one object: there are very many. */
interface Entry extends KnownKey {
  readonly revision: number;
  readonly readAtMs: number;
}

/** Caches keys in front of a store until its revision changes. */
export function cachedKeyFinder(
  keys: KeyFinder,
  { changes, writes }: Revision,
  /** Milliseconds on a monotonic clock. */
  elapsed: () => number,
): KeyFinder {
  const known = new BoundedCache<string, Entry>(MAX_KEYS);
  /** Hashes that no key had, with the number of writes at the time. */
  const unknown = new BoundedCache<string, number>(MAX_UNKNOWN);
  const reads = new Map<string, Promise<KnownKey | undefined>>();

  function readKey(secret: string, hash: string, revision: number) {
    const written = writes?.();
    if (written !== undefined && unknown.get(hash) === written) return undefined;

    const underWay = reads.get(hash);
    if (underWay !== undefined) return underWay;
    const readAtMs = elapsed();
    const keep = (key: KnownKey | undefined) => {
      if (key === undefined) {
        known.delete(hash);
        if (written !== undefined) unknown.offer(hash, written);
        return undefined;
      }
      const entry = { ...key, revision, readAtMs };
      known.offer(hash, entry);
      return entry;
    };
    const found = keys.findKey(secret);
    if (!(found instanceof Promise)) return keep(found);
    // Concurrent requests with the same key share one read.
    const read = found
      .then(keep, (error) => recentKey(known.get(hash), readAtMs, error))
      .finally(() => reads.delete(hash));
    reads.set(hash, read);
    return read;
  }

  return {
    peekKey(secret) {
      const entry = known.get(hashOf(secret));
      return isRecent(entry, elapsed()) ? entry : undefined;
    },

    findKey(secret) {
      const hash = hashOf(secret);
      const revision = changes();
      const cached = known.get(hash);
      return cached?.revision === revision ? cached : readKey(secret, hash, revision);
    },
  };
}

/** A secret never stays in memory. */
function hashOf(secret: string): string {
  return Bun.SHA256.hash(secret, 'latin1');
}

/** The cached key, if the store is away and the entry is recent. Else throws the error. */
function recentKey(entry: Entry | undefined, nowMs: number, error: unknown): KnownKey {
  if (isRecent(entry, nowMs) && error instanceof StoreUnavailableError) return entry;
  throw error;
}

function isRecent(entry: Entry | undefined, nowMs: number): entry is Entry {
  return entry !== undefined && nowMs - entry.readAtMs < KEPT_WITHOUT_STORE_MS;
}
