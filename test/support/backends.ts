import type { Environment } from '../../src/domain/environment.ts';
import { openServiceParts, type ServiceParts } from '../../src/service/service-parts.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './command.ts';
import { failLoudly } from './fail-loudly.ts';
import { backend } from './open-store.ts';
import { newPostgresDatabase } from './postgres.ts';
import { lacks } from './programs.ts';
import { newRedisDatabase } from './redis.ts';
import { PATIENT_MS } from './redis-limiter.ts';
import { newFile } from './temporary-folder.ts';

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

export function openEmbedded(clock: Clock): Promise<ServiceParts> {
  return openParts(newFile().settings, clock);
}

function withoutCaches(parts: ServiceParts): ServiceParts {
  return { ...parts, pets: parts.store.pets, keys: parts.store.keys };
}

export async function openShared(clock: Clock): Promise<ServiceParts> {
  return openParts(await sharedSettings(), clock);
}

/** The settings of a new store. */
export async function newSettings(backend: BackendName): Promise<Settings> {
  return backend === 'SQLite' ? newFile().settings : sharedSettings();
}

/** All tests share one PostgreSQL and one Redis. Each store gets an empty database on both. */
export async function sharedSettings() {
  return { DATABASE_URL: await newPostgresDatabase(), REDIS_URL: await newRedisDatabase() };
}
