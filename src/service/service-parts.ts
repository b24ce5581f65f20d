import type { Config } from '#config.ts';
import type { Backend } from '#domain/backend.ts';
import type { Steps } from '#http/answer.ts';
import { MemoryLimiter } from '#limiters/memory.ts';
import { RedisLimiter, type RedisLimiterOptions } from '#limiters/redis/limiter.ts';
import { StagingSteps } from '#staging/staging.ts';
import { cachedKeyFinder } from '#stores/cached/cached-key-finder.ts';
import { cachedPetReader } from '#stores/cached/cached-pet-reader.ts';

/** The parts that a service runs on. */
export type ServiceParts = Awaited<ReturnType<typeof openServiceParts>>;

type PartSettings = Pick<Config, 'REDIS_URL' | 'INSTANCES' | 'environment'>;

interface Hooks {
  readonly now: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number;
  readonly onCommit?: (creations: number) => void;
  readonly onStoreWarning?: (message: string) => void;
  readonly onSaveFailed: (error: unknown) => void;
  readonly redis: Pick<RedisLimiterOptions, 'onAway' | 'onBack' | 'onResponse' | 'redisNow'>;
}

/** Opens and connects the parts that the settings select. If one cannot be opened, closes the others. */
export async function openServiceParts(
  database: Backend,
  { REDIS_URL: url, INSTANCES: instances, environment }: PartSettings,
  { now, elapsed, onCommit, onStoreWarning, onSaveFailed, redis }: Hooks,
) {
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await database.openStore(onCommit, onStoreWarning));
  const storeId = await store.environment.set(environment);
  const limiter = opening.use(
    url === undefined
      ? new MemoryLimiter({ now, journal: store.journal, onSaveFailed })
      : await RedisLimiter.open({ url, storeId, instances, ...redis }),
  );
  const opened = opening.move();
  const { revision } = store;
  const isProduction = environment === 'production';
  return {
    store,
    limiter,
    pets: { ...cachedPetReader(store.pets, revision), createPet: store.pets.createPet },
    /** On staging, keys are not cached: when one instance moves a clock, all others must follow immediately. */
    keys: isProduction ? cachedKeyFinder(store.keys, revision, elapsed) : store.keys,
    environment,
    history: store.history,
    decorate: isProduction
      ? undefined
      : (steps: Steps) => new StagingSteps(steps, store.environment),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
