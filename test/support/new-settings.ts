import { join } from 'node:path';
import { newSharedDatabases } from './backends.ts';
import type { Settings } from './command.ts';
import { lacks } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

type BackendName = 'SQLite' | 'PostgreSQL and Redis';

export const BACKENDS: readonly BackendName[] = lacks('postgres', 'redis-server')
  ? ['SQLite']
  : ['SQLite', 'PostgreSQL and Redis'];

/** New stores on both backends, for the tests of one file. */
export async function startBackends() {
  const folder = temporaryFolder();
  let files = 0;
  return {
    async newSettings(backend: BackendName): Promise<Settings> {
      if (backend === 'SQLite') {
        return { DATABASE_URL: `sqlite:${join(folder.path, `store-${++files}.db`)}` };
      }
      const { databaseUrl, redisUrl = '' } = await newSharedDatabases();
      return { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  };
}
