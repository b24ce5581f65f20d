import type { Config } from '../config.ts';
import type { KeyFinder } from '../domain/api-key.ts';
import type { Store } from '../domain/backend.ts';
import type { PetStore } from '../domain/pet.ts';
import type { Limiter } from '../domain/rate-limit.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import { MemoryLimiter } from '../limiters/memory.ts';
import { RedisLimiter } from '../limiters/redis/limiter.ts';
import { Staging } from '../staging/staging.ts';
import { cachedKeyFinder } from '../stores/cached/cached-key-finder.ts';
import { cachedPetStore } from '../stores/cached/cached-pet-store.ts';

/** The parts that a service runs on. */
export interface ServiceParts extends AsyncDisposable {
  readonly store: Store;
  /** The pets and keys of the store, cached. */
  readonly pets: PetStore;
  readonly keys: KeyFinder;
  readonly limiter: Limiter & UsageReader;
  /** Undefined in production. */
  readonly rehearsals: Staging | undefined;
}

type PartSettings = Pick<Config, 'database' | 'REDIS_URL' | 'INSTANCES' | 'environment'>;

export interface Hooks {
  readonly now: () => number;
  /** Replaces the clock of Redis, in tests. */
  readonly redisNow?: (() => number) | undefined;
  readonly onSaveFailed: (error: unknown) => void;
  readonly onRedisAway: (error: unknown) => void;
  readonly onRedisBack: () => void;
  readonly onRedisResponse?: (seconds: number) => void;
  readonly onCommit?: (creations: number) => void;
}

/** Opens and connects the parts that the settings ask for. */
export async function openServiceParts(
  { database, REDIS_URL: url, INSTANCES: instances, environment }: PartSettings,
  { now, redisNow, onSaveFailed, onCommit, ...hooks }: Hooks,
): Promise<ServiceParts> {
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await database.openStore(onCommit));
  const storeId = await store.staging.setEnvironment(environment);
  const limiter = opening.use(
    url === undefined
      ? new MemoryLimiter({ now, journal: store.journal, onSaveFailed })
      : await RedisLimiter.open({
          url,
          storeId,
          instances,
          redisNow,
          onAway: hooks.onRedisAway,
          onBack: hooks.onRedisBack,
          onResponse: hooks.onRedisResponse,
        }),
  );
  const opened = opening.move();
  const { revision } = store;
  const isProduction = environment === 'production';
  return {
    store,
    limiter,
    pets: cachedPetStore(store.pets, revision),
    keys: isProduction ? cachedKeyFinder(store.keys, revision, now) : store.keys,
    rehearsals: isProduction ? undefined : new Staging(store.keys, store.staging),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
