import { CachedKeyFinder } from '../cache/cached-key-finder.ts';
import { CachedPetStore } from '../cache/cached-pet-store.ts';
import type { Config } from '../config.ts';
import type { KeyFinder } from '../domain/api-key.ts';
import type { Store } from '../domain/backend.ts';
import type { PetStore } from '../domain/pet.ts';
import type { Limiter } from '../domain/rate-limit.ts';
import { MemoryLimiter } from '../memory/limiter.ts';
import { RedisLimiter } from '../redis/limiter.ts';

/** The parts that a service runs on. */
export interface ServiceParts extends AsyncDisposable {
  readonly store: Store;
  /** The pets and keys of the store, cached. */
  readonly pets: PetStore;
  readonly keys: KeyFinder;
  readonly limiter: Limiter;
}

export interface Hooks {
  readonly now: () => number;
  /** Replaces the clock of Redis, in tests. */
  readonly redisNow?: (() => number) | undefined;
  readonly onSaveFailed: (error: unknown) => void;
  readonly onRedisAway: (error: unknown) => void;
  readonly onRedisBack: () => void;
}

/** Opens and connects the parts that the settings ask for. */
export async function openServiceParts(
  { database, redisUrl, instances }: Pick<Config, 'database' | 'redisUrl' | 'instances'>,
  { now, redisNow, onSaveFailed, onRedisAway, onRedisBack }: Hooks,
): Promise<ServiceParts> {
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await database.openStore());
  const limiter = opening.use(
    redisUrl === undefined
      ? new MemoryLimiter({ now, journal: store.journal, onSaveFailed })
      : await RedisLimiter.open({
          ...{ url: redisUrl, instances, now, redisNow },
          ...{ onAway: onRedisAway, onBack: onRedisBack },
        }),
  );
  const opened = opening.move();
  return {
    store,
    pets: new CachedPetStore(store.pets, store.revision),
    keys: new CachedKeyFinder(store.accounts, store.revision, now),
    limiter,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
