import { join } from 'node:path';
import type { Environment } from '../../src/domain/environment.ts';
import { openServiceParts, type ServiceParts } from '../../src/service/service-parts.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './command.ts';
import { failLoudly } from './fail-loudly.ts';
import { backend } from './open-store.ts';
import { postgresForSuites } from './postgres.ts';
import { lacks } from './programs.ts';
import { redisForSuites } from './redis.ts';
import { PATIENT_MS } from './redis-limiter.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type BackendName = 'SQLite' | 'PostgreSQL and Redis';

/** Those that this machine has. */
export const BACKENDS: readonly BackendName[] = lacks('postgres', 'redis-server')
  ? ['SQLite']
  : ['SQLite', 'PostgreSQL and Redis'];

/** `npm test` runs the HTTP suite once on each. */
const OF_HTTP_SUITE: Readonly<Record<string, (clock: Clock) => Promise<ServiceParts>>> = {
  embedded: openEmbedded,
  uncached: async (clock) => withoutCaches(await openEmbedded(clock)),
  shared: openShared,
};

export function openBackend(clock: Clock): Promise<ServiceParts> {
  const name = Bun.env['TEST_BACKEND'] ?? 'embedded';
  const open = OF_HTTP_SUITE[name];
  if (open === undefined) {
    throw new Error(`TEST_BACKEND must be one of ${Object.keys(OF_HTTP_SUITE)}, not ${name}`);
  }
  return open(clock);
}

/** Opens the parts of an instance on a store that exists or not. */
export async function openParts(
  { DATABASE_URL = '', REDIS_URL }: Settings,
  { now }: Clock,
  environment: Environment = 'production',
): Promise<ServiceParts> {
  const redis = {
    redisNow: now,
    silenceMs: PATIENT_MS,
    onAway: failLoudly,
    onBack: () => {},
  };
  return openServiceParts(
    backend(DATABASE_URL, 4, now),
    { REDIS_URL, INSTANCES: 1, environment },
    { now, elapsed: now, onSaveFailed: failLoudly, redis },
  );
}

export async function openEmbedded(clock: Clock): Promise<ServiceParts> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(temporaryFolder());
  const parts = opening.use(await openParts(await newSettings('SQLite', folder.path), clock));
  const resources = opening.move();
  return { ...parts, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function withoutCaches(parts: ServiceParts): ServiceParts {
  return { ...parts, pets: parts.store.pets, keys: parts.store.keys };
}

let servers: ReturnType<typeof startServers> | undefined;

async function startServers() {
  return { postgres: await postgresForSuites(), redis: await redisForSuites() };
}

export async function openShared(clock: Clock): Promise<ServiceParts> {
  return openParts(await sharedSettings(), clock);
}

/** The settings of a new store. A file is in the folder. */
export async function newSettings(backend: BackendName, folder: string): Promise<Settings> {
  if (backend === 'PostgreSQL and Redis') return sharedSettings();
  return { DATABASE_URL: `sqlite:${join(folder, `${Bun.randomUUIDv7()}.db`)}` };
}

/** All tests share one PostgreSQL and one Redis. Each store gets an empty database on both. */
export async function sharedSettings() {
  servers ??= startServers();
  const { postgres, redis } = await servers;
  return { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: await redis.newDatabase() };
}

/** Stops the servers that the tests shared. */
export async function stopSharedServers(): Promise<void> {
  const started = await servers;
  await started?.postgres[Symbol.asyncDispose]();
  await started?.redis[Symbol.asyncDispose]();
}
