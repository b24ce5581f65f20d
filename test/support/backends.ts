import { join } from 'node:path';
import type { KeyDirectory } from '../../src/domain/api-key.ts';
import type { WrittenPets } from '../../src/domain/pet.ts';
import type { Limiter } from '../../src/domain/rate-limit.ts';
import { everySecond } from '../../src/domain/revision.ts';
import type { Store } from '../../src/domain/store.ts';
import { KnownKeys } from '../../src/memory/known-keys.ts';
import { MemoryLimiter, NO_JOURNAL } from '../../src/memory/limiter.ts';
import { RememberedPets } from '../../src/memory/remembered-pets.ts';
import { openPostgresStore } from '../../src/postgres/store.ts';
import { RedisLimiter } from '../../src/redis/limiter.ts';
import { openSqliteStore } from '../../src/sqlite/store.ts';
import type { Clock } from './clock.ts';
import { postgresForSuites } from './postgres.ts';
import { redisForSuites } from './redis.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Backend extends AsyncDisposable {
  readonly store: Store;
  readonly pets: WrittenPets;
  readonly keys: KeyDirectory;
  readonly limiter: Limiter;
}

/** What the HTTP suite runs on; `npm test` runs it once on each. */
const BACKENDS: Readonly<Record<string, (clock: Clock) => Promise<Backend>>> = {
  embedded: openEmbedded,
  shared: openShared,
};

export function openBackend(clock: Clock): Promise<Backend> {
  const name = Bun.env['TEST_BACKEND'] ?? 'embedded';
  const open = BACKENDS[name];
  if (open === undefined) throw new Error(`TEST_BACKEND must be embedded or shared, not ${name}`);
  return open(clock);
}

function failLoudly(error: unknown): never {
  throw error;
}

async function openEmbedded({ now }: Clock): Promise<Backend> {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(temporaryFolder());
  const store = resources.use(await openSqliteStore(join(folder.path, 'animal-store.db')));
  const { journal, keys, revision } = store;
  const pets = new RememberedPets(store.pets, revision);
  const limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
  resources.use(limiter);
  return { store, pets, keys, limiter, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

let servers: ReturnType<typeof startServers> | undefined;

async function startServers() {
  return { postgres: await postgresForSuites(), redis: await redisForSuites() };
}

/** One PostgreSQL and one Redis serve all tests: each gets an empty database of both. */
async function openShared({ now }: Clock): Promise<Backend> {
  servers ??= startServers();
  const { postgres, redis } = await servers;
  const resources = new AsyncDisposableStack();
  const store = resources.use(await openPostgresStore(await postgres.newDatabase(), 4));
  const url = await redis.newDatabase();
  const fallback = new MemoryLimiter({ now, journal: NO_JOURNAL, onSaveFailed: failLoudly });
  resources.use(fallback);
  const limiter = await RedisLimiter.open({
    ...{ url, fallback, instances: 1, now },
    onAway: failLoudly,
    onBack: () => {},
  });
  resources.use(limiter);
  const keys = new KnownKeys(store.accounts, now);
  const pets = new RememberedPets(store.pets, everySecond(now));
  return { store, pets, keys, limiter, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Ends the servers that tests have shared. */
export async function stopSharedServers(): Promise<void> {
  const started = await servers;
  await started?.postgres[Symbol.asyncDispose]();
  await started?.redis[Symbol.asyncDispose]();
}
