import type { KeyFinder, KnownKey } from '../../domain/api-key.ts';
import type { Revision } from '../../domain/backend.ts';
import { StoreUnavailableError } from '../../domain/error.ts';
import { BoundedCache } from './bounded-cache.ts';

/** About 90 MB when full. */
const MAX_KEYS = 200_000;
const MAX_UNKNOWN = 1_000;

/** While the store is away, its keys stay valid for this long. */
const KEPT_WITHOUT_STORE_MS = 60_000;

interface Entry {
  readonly key: KnownKey;
  readonly readAtMs: number;
}

/** Caches keys in front of a store until its revision changes. */
export function cachedKeyFinder(
  keys: KeyFinder,
  { changes, writes }: Revision,
  /** Milliseconds on a monotonic clock. */
  elapsed: () => number,
): KeyFinder {
  /** Keys of the revision. */
  const known = new BoundedCache<string, KnownKey>(MAX_KEYS);
  let revision: number | undefined;
  /** Keys of any revision, if the store may be away. */
  const lastKnown = new BoundedCache<string, Entry>(MAX_KEYS);
  /** Hashes that no key had, with the number of writes at the time. */
  const unknown = new BoundedCache<string, number>(MAX_UNKNOWN);
  const reads = new Map<string, Promise<KnownKey | undefined>>();

  function readKey(secret: string, hash: string) {
    const written = writes?.();
    if (written !== undefined && unknown.get(hash) === written) return undefined;

    const underWay = reads.get(hash);
    if (underWay !== undefined) return underWay;
    const before = revision;
    const keep = (key: KnownKey | undefined) => {
      if (key !== undefined && before === revision) known.offer(hash, key);
      if (key === undefined && written !== undefined) unknown.offer(hash, written);
      return key;
    };
    const readAtMs = elapsed();
    const found = keys.findKey(secret);
    if (!(found instanceof Promise)) return keep(found);
    const keepLast = (key: KnownKey | undefined) => {
      if (key === undefined) lastKnown.delete(hash);
      else lastKnown.offer(hash, { key, readAtMs });
      return keep(key);
    };
    // Concurrent requests with the same key share one read.
    const read = found
      .then(keepLast, (error) => recentKey(lastKnown.get(hash), readAtMs, error))
      .finally(() => reads.delete(hash));
    reads.set(hash, read);
    return read;
  }

  return {
    findKey(secret) {
      // A secret never stays in memory.
      const hash = Bun.SHA256.hash(secret, 'latin1');
      const latest = changes();
      if (latest !== revision) known.clear();
      revision = latest;
      return known.get(hash) ?? readKey(secret, hash);
    },
  };
}

/** The cached key, if the store is away and the entry is recent. Else throws the error. */
function recentKey(entry: Entry | undefined, nowMs: number, error: unknown): KnownKey {
  const isRecent = entry !== undefined && nowMs - entry.readAtMs < KEPT_WITHOUT_STORE_MS;
  if (isRecent && error instanceof StoreUnavailableError) return entry.key;
  throw error;
}
