import { existsSync } from 'node:fs';
import type { KeyScope } from '#domain/api-key.ts';
import type { Backend, Store } from '#domain/backend.ts';
import type { Environment } from '#domain/environment.ts';
import { mintSecret } from '#domain/key-secret.ts';
import type { Origin } from '#domain/operator/audit.ts';
import type { StoreRecord } from '#domain/operator/transfer.ts';
import type { Pet } from '#domain/pet.ts';
import { type Limits, limitsFor, type Plan } from '#domain/plan.ts';
import { platform } from '#platform.ts';
import { openServiceParts, type ServiceParts } from '#service/service-parts.ts';
import { backendAt } from '#stores/backends.ts';
import { newPostgresDatabase } from './postgres.ts';
import { lacks } from './programs.ts';
import { newRedisDatabase } from './redis.ts';
import { newFile } from './temporary-folder.ts';
import { type Clock, failLoudly, PATIENT_MS, WAIT_TIMEOUT_MS } from './time.ts';

/** Those of the program, as its environment has them. */
export type Settings = Readonly<Record<string, string>>;

/** The origin of changes that a test makes. */
export const TEST_ORIGIN: Origin = { command: 'test', operator: 'tester' };

/** The time-out is one that a busy machine does not reach, unless a test is about it. */
export function backend(
  url: string,
  connections = 1,
  now: () => number = Date.now,
  timeoutMs = WAIT_TIMEOUT_MS,
  elapsed = now,
): Backend {
  const setting = 'DATABASE_URL';
  return backendAt({
    url,
    connections,
    timeoutMs,
    setting,
    origin: TEST_ORIGIN,
    now,
    elapsed,
  });
}

/** Opens a store the way the service does. */
export function openStore(url: string, connections?: number): Promise<Store> {
  return backend(url, connections).openStore();
}

/** Imports an export with nothing but these pets. */
export async function importPets(url: string, pets: readonly Pet[] = [], lastId = 0n) {
  async function* records(): AsyncIterable<readonly StoreRecord[]> {
    yield pets.map((value) => ({ kind: 'pet', value }));
  }
  const lastIds = { pet: lastId, account: 0, key: 0, auditEntry: 0 };
  await backend(url).importAll(records(), lastIds);
}

/** Creates a store if there is none, as the first start of a service does. */
export async function createStore(url: string): Promise<void> {
  const store = backend(url);
  const { name, description } = store;
  // A service may hold the lock of a file that exists.
  if (name === 'sqlite' && existsSync(description)) return;
  await using _opened = await store.openStore();
}

const HIGH_LIMITS: Limits = { perMinute: 1_000_000, perDay: 1_000_000 };

interface NewAccount {
  readonly name: string;
  readonly plan?: Plan | undefined;
  /** Default: those of the plan, and high ones for enterprise. */
  readonly limits?: Partial<Limits> | undefined;
}

export async function createAccount(
  { accounts }: Pick<Store, 'accounts'>,
  { name, plan = 'enterprise', limits }: NewAccount,
): Promise<void> {
  const custom = plan === 'enterprise' ? { ...HIGH_LIMITS, ...limits } : limits;
  await accounts.createAccount({ name, plan, limits: limitsFor(plan, custom ?? {}) });
}

interface NewKey {
  readonly accountName: string;
  readonly environment?: Environment;
  readonly expiresAtMs?: number | undefined;
  readonly scope?: KeyScope | undefined;
}

export async function createKey(
  { accounts }: Pick<Store, 'accounts'>,
  { accountName, environment, expiresAtMs, scope }: NewKey,
): Promise<{ id: number; accountId: number; secret: string }> {
  const secret = mintSecret(platform.randomBytes, environment);
  const key = { accountName, label: '', secret, expiresAtMs: expiresAtMs ?? null, scope };
  const { id, accountId } = await accounts.createKey(key);
  return { id, accountId, secret };
}

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
