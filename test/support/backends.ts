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

/** What the HTTP suite runs on. `npm run test:all` runs it on each. */
export async function openBackend(clock: Clock): Promise<ServiceParts> {
  const name = Bun.env['TEST_BACKEND'] ?? 'embedded';
  if (!['embedded', 'uncached', 'shared'].includes(name)) {
    throw new Error(`TEST_BACKEND must be embedded, uncached or shared, not ${name}`);
  }
  const settings = name === 'shared' ? await sharedSettings() : newFile().settings;
  const parts = await openParts(settings, clock);
  if (name !== 'uncached') return parts;
  return { ...parts, pets: parts.store.pets, keys: parts.store.keys };
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

/** The settings of a new store. */
export async function newSettings(backend: BackendName): Promise<Settings> {
  return backend === 'SQLite' ? newFile().settings : sharedSettings();
}

/** All tests share one PostgreSQL and one Redis. Each store gets an empty database on both. */
export async function sharedSettings() {
  return { DATABASE_URL: await newPostgresDatabase(), REDIS_URL: await newRedisDatabase() };
}
