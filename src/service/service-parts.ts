import type { Config } from '../config.ts';
import type { KeyFinder } from '../domain/api-key.ts';
import type { Store } from '../domain/backend.ts';
import type { Brownout, BrownoutSchedule } from '../domain/brownout.ts';
import type { EpochLimiter } from '../domain/epoch-limiter.ts';
import type { PetStore } from '../domain/pet.ts';
import type { Limiter } from '../domain/rate-limit.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import type { Staging } from '../http/answer.ts';
import { MemoryLimiter } from '../limiters/memory.ts';
import { RedisLimiter } from '../limiters/redis/limiter.ts';
import { SimulatedFailures } from '../staging/simulated-failures.ts';
import { SimulatedLimiter } from '../staging/simulated-limiter.ts';
import { StagingKeys } from '../staging/staging-keys.ts';
import { StagingPets } from '../staging/staging-pets.ts';
import { CachedKeyFinder } from '../stores/cached/cached-key-finder.ts';
import { CachedPetStore } from '../stores/cached/cached-pet-store.ts';
import { PolledBrownouts } from '../stores/cached/polled-brownouts.ts';

/** The parts that a service runs on. */
export interface ServiceParts extends AsyncDisposable {
  readonly store: Store;
  /** The pets and keys of the store, cached. */
  readonly pets: PetStore;
  readonly keys: KeyFinder;
  readonly limiter: Limiter & UsageReader;
  readonly brownouts: BrownoutSchedule;
  /** Undefined in production. */
  readonly staging: Staging | undefined;
}

type PartSettings = Pick<Config, 'database' | 'redisUrl' | 'instances' | 'isStaging'>;

export interface Hooks {
  readonly now: () => number;
  /** Replaces the clock of Redis, in tests. */
  readonly redisNow?: (() => number) | undefined;
  readonly onSaveFailed: (error: unknown) => void;
  readonly onRedisAway: (error: unknown) => void;
  readonly onRedisBack: () => void;
  readonly onRedisResponse?: (seconds: number) => void;
  readonly onCommit?: (creations: number) => void;
  readonly onBrownoutBegan: (brownout: Brownout) => void;
  readonly onBrownoutEnded: (brownout: Brownout) => void;
  readonly onBrownoutsFailed: (error: unknown) => void;
}

/** Opens and connects the parts that the settings ask for. */
export async function openServiceParts(
  { database, redisUrl, instances, isStaging }: PartSettings,
  { now, redisNow, onSaveFailed, onCommit, ...hooks }: Hooks,
): Promise<ServiceParts> {
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await database.openStore(onCommit));
  const storeId = await store.staging.claim(isStaging);
  const limiter = opening.use(
    redisUrl === undefined
      ? new MemoryLimiter({ now, journal: store.journal, onSaveFailed })
      : await RedisLimiter.open({
          url: redisUrl,
          storeId,
          instances,
          now,
          redisNow,
          onAway: hooks.onRedisAway,
          onBack: hooks.onRedisBack,
          onResponse: hooks.onRedisResponse,
        }),
  );
  const brownouts = opening.use(
    await PolledBrownouts.open({
      store: store.brownouts,
      now,
      onBegan: hooks.onBrownoutBegan,
      onEnded: hooks.onBrownoutEnded,
      onFailed: hooks.onBrownoutsFailed,
    }),
  );
  const opened = opening.move();
  const pets = new CachedPetStore(store.pets, store.revision);
  return {
    store,
    brownouts,
    ...(isStaging
      ? stagingParts({ store, pets, limiter, now })
      : productionParts({ store, pets, limiter, now })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface InnerParts extends Pick<ServiceParts, 'store' | 'pets'> {
  readonly limiter: EpochLimiter;
  readonly now: () => number;
}

function productionParts({ store, pets, limiter, now }: InnerParts) {
  const keys = new CachedKeyFinder(store.accounts, store.revision, now);
  return { pets, keys, limiter, staging: undefined };
}

/** Keys are not cached, so that a clock moved by one instance holds on the others at once. */
function stagingParts({ store: { accounts, staging }, pets, limiter, now }: InnerParts) {
  const keys = new StagingKeys(accounts, staging);
  const failures = new SimulatedFailures();
  return {
    pets: new StagingPets(pets, staging),
    keys: accounts,
    limiter: new SimulatedLimiter(limiter, now),
    staging: {
      keysFor: keys.keysFor.bind(keys),
      simulate: failures.simulate.bind(failures),
    },
  };
}
