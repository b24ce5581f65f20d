import { join } from 'node:path';
import { newSharedDatabases } from './backends.ts';
import type { Settings } from './command.ts';
import { lacks } from './programs.ts';

type BackendName = 'SQLite' | 'PostgreSQL and Redis';

export const BACKENDS: readonly BackendName[] = lacks('postgres', 'redis-server')
  ? ['SQLite']
  : ['SQLite', 'PostgreSQL and Redis'];

/** The settings of a new store. A file is in the folder. */
export async function newSettings(backend: BackendName, folder: string): Promise<Settings> {
  if (backend === 'SQLite') {
    return { DATABASE_URL: `sqlite:${join(folder, `${Bun.randomUUIDv7()}.db`)}` };
  }
  const { databaseUrl, redisUrl = '' } = await newSharedDatabases();
  return { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
}
