import { join } from 'node:path';
import type { Environment } from '../../src/domain/environment.ts';
import { openServiceParts, type ServiceParts } from '../../src/service/service-parts.ts';
import type { Clock } from './clock.ts';
import { failLoudly } from './fail-loudly.ts';
import { backend } from './open-store.ts';
import { postgresForSuites } from './postgres.ts';
import { redisForSuites } from './redis.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** `npm test` runs the HTTP suite once on each. */
const BACKENDS: Readonly<Record<string, (clock: Clock) => Promise<ServiceParts>>> = {
  embedded: openEmbedded,
  uncached: async (clock) => withoutCaches(await openEmbedded(clock)),
  shared: openShared,
};

export function openBackend(clock: Clock): Promise<ServiceParts> {
  const name = Bun.env['TEST_BACKEND'] ?? 'embedded';
  const open = BACKENDS[name];
  if (open === undefined) {
    throw new Error(`TEST_BACKEND must be one of ${Object.keys(BACKENDS)}, not ${name}`);
  }
  return open(clock);
}

interface ServerUrls {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
}

/** Opens the parts of an instance on a store that exists or not. */
export async function openParts(
  { databaseUrl, redisUrl }: ServerUrls,
  { now }: Clock,
  environment: Environment = 'production',
): Promise<ServiceParts> {
  return openServiceParts(
    { database: backend(databaseUrl, 4, now), REDIS_URL: redisUrl, INSTANCES: 1, environment },
    {
      now,
      onSaveFailed: failLoudly,
      redis: { redisNow: now, onAway: failLoudly, onBack: () => {} },
    },
  );
}

export async function openEmbedded(clock: Clock): Promise<ServiceParts> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(temporaryFolder());
  const databaseUrl = `sqlite:${join(folder.path, 'animal-store.db')}`;
  const parts = opening.use(await openParts({ databaseUrl }, clock));
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
  return openParts(await newSharedDatabases(), clock);
}

/** All tests share one PostgreSQL and one Redis. Each test gets an empty database on both. */
export async function newSharedDatabases(): Promise<ServerUrls> {
  servers ??= startServers();
  const { postgres, redis } = await servers;
  return { databaseUrl: await postgres.newDatabase(), redisUrl: await redis.newDatabase() };
}

/** Stops the servers that the tests shared. */
export async function stopSharedServers(): Promise<void> {
  const started = await servers;
  await started?.postgres[Symbol.asyncDispose]();
  await started?.redis[Symbol.asyncDispose]();
}
