import type { Config } from '../config.ts';
import type { KeyDirectory } from '../domain/api-key.ts';
import type { WrittenPets } from '../domain/pet.ts';
import type { Limiter } from '../domain/rate-limit.ts';
import { everySecond } from '../domain/revision.ts';
import type { Store } from '../domain/store.ts';
import type { UsageJournal } from '../domain/usage-journal.ts';
import { KnownKeys } from '../memory/known-keys.ts';
import { MemoryLimiter, NO_JOURNAL } from '../memory/limiter.ts';
import { RememberedPets } from '../memory/remembered-pets.ts';
import type { Metrics } from '../operator/metrics.ts';
import { platform } from '../platform.ts';
import { openPostgresStore } from '../postgres/store.ts';
import { RedisLimiter } from '../redis/limiter.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import type { Log } from './log.ts';

/** What a service runs on: chosen here, once, by the settings. */
export interface Backend extends AsyncDisposable {
  readonly store: Store;
  /** The animals of the store, some of them in memory. */
  readonly pets: WrittenPets;
  readonly keys: KeyDirectory;
  readonly limiter: Limiter;
}

export async function openBackend(config: Config, log: Log, metrics: Metrics): Promise<Backend> {
  await using opening = new AsyncDisposableStack();
  const { store, pets, keys, journal } = await openStore(config, opening);
  const limiter = await openLimiter(config, journal, log, metrics, opening);
  const opened = opening.move();
  return { store, pets, keys, limiter, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function openStore(
  { database }: Config,
  resources: AsyncDisposableStack,
): Promise<Pick<Backend, 'store' | 'pets' | 'keys'> & { journal: UsageJournal }> {
  if (database.kind === 'sqlite') {
    const store = resources.use(await openSqliteStore(database.path));
    const { keys, journal, revision } = store;
    return { store, pets: new RememberedPets(store.pets, revision), keys, journal };
  }
  const store = resources.use(await openPostgresStore(database.url, database.connections));
  return {
    store,
    pets: new RememberedPets(store.pets, everySecond(platform.now)),
    keys: new KnownKeys(store.accounts, platform.now),
    journal: NO_JOURNAL,
  };
}

/** With Redis, limits are counted there, and in process only for as long as it is away. */
async function openLimiter(
  { redisUrl, instances }: Config,
  journal: UsageJournal,
  log: Log,
  metrics: Metrics,
  resources: AsyncDisposableStack,
): Promise<Limiter> {
  if (redisUrl === undefined) {
    const limiter = new MemoryLimiter({
      now: platform.now,
      journal,
      onSaveFailed: (error) => {
        metrics.recordSaveFailure();
        log.error({ err: error }, 'the counts of the limiter could not be saved');
      },
    });
    return resources.use(limiter);
  }
  const limiter = await RedisLimiter.open({
    url: redisUrl,
    now: platform.now,
    instances,
    onAway: (error) => {
      metrics.setRedisAway(true);
      log.warn({ err: error, instances }, 'Redis is away: limits are counted in process');
    },
    onBack: () => {
      metrics.setRedisAway(false);
      log.warn('Redis is back: limits are counted there again');
    },
  });
  return resources.use(limiter);
}
