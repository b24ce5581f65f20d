import type { KeyFinder, KnownKey } from '#domain/api-key.ts';
import type { Revision } from '#domain/backend.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import { BoundedCache } from './bounded-cache.ts';

/** This many keys take about 90 MB. */
const MAX_KEYS = 200_000;
const MAX_UNKNOWN = 1_000;

/** If the store cannot be reached, a cached key is accepted for this long after its last use before that. */
const KEPT_WITHOUT_STORE_MS = 60_000;

/** A key, and the revision from before it was read. It is one object to save memory, since there are many. */
interface Entry extends KnownKey {
  readonly revision: number;
  /** The time at which a request last used the key, or began to read it. At that time, the key was as it is here. */
  usedAtMs: number;
}

/** Caches keys in front of a store until its revision changes. */
export function cachedKeyFinder(
  keys: KeyFinder,
  { changes, writes }: Revision,
  /** Milliseconds on a monotonic clock. */
  elapsed: () => number,
): KeyFinder {
  const known = new BoundedCache<string, Entry>(MAX_KEYS);
  /** Hashes for which there was no key, with the number of writes at the time. */
  const unknown = new BoundedCache<string, number>(MAX_UNKNOWN);
  /** The reads in flight, by revision and hash: a key may have been revoked since an earlier read began. */
  const reads = new Map<string, Promise<KnownKey | undefined>>();

  function readKey(secret: string, hash: string, revision: number) {
    const written = writes?.();
    if (written !== undefined && unknown.get(hash) === written) return undefined;

    const name = revision + hash;
    const underWay = reads.get(name);
    if (underWay !== undefined) return underWay;
    const usedAtMs = elapsed();
    const keep = (key: KnownKey | undefined) => {
      if (key === undefined) {
        known.delete(hash);
        if (written !== undefined) unknown.offer(hash, written);
        return undefined;
      }
      const entry = { ...key, revision, usedAtMs };
      known.offer(hash, entry);
      return entry;
    };
    const found = keys.findKey(secret);
    if (!(found instanceof Promise)) return keep(found);
    // Concurrent requests with the same key share one read.
    const read = found
      .then(keep, (error) => {
        const entry = known.get(hash);
        if (isRecent(entry, usedAtMs) && error instanceof StoreUnavailableError) return entry;
        throw error;
      })
      .finally(() => reads.delete(name));
    reads.set(name, read);
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
      if (cached?.revision !== revision) return readKey(secret, hash, revision);
      cached.usedAtMs = elapsed();
      return cached;
    },
  };
}

/** The cache is keyed by hashes, so that no secret stays in memory. */
function hashOf(secret: string): string {
  return Bun.SHA256.hash(secret, 'latin1');
}

function isRecent(entry: Entry | undefined, nowMs: number): entry is Entry {
  return entry !== undefined && nowMs - entry.usedAtMs < KEPT_WITHOUT_STORE_MS;
}
