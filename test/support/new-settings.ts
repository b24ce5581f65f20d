import { join } from 'node:path';
import type { Settings } from './command.ts';
import { postgresForSuites } from './postgres.ts';
import { lacks } from './programs.ts';
import { redisForSuites } from './redis.ts';
import { temporaryFolder } from './temporary-folder.ts';

type BackendName = 'SQLite' | 'PostgreSQL and Redis';

export const BACKENDS: readonly BackendName[] = lacks('postgres', 'redis-server')
  ? ['SQLite']
  : ['SQLite', 'PostgreSQL and Redis'];

/** New stores on both backends, for the tests of one file. */
export async function startBackends() {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(temporaryFolder());
  const postgres = starting.use(await postgresForSuites());
  const redis = starting.use(await redisForSuites());
  const started = starting.move();
  let files = 0;
  return {
    postgres,
    async newSettings(backend: BackendName): Promise<Settings> {
      if (backend === 'SQLite') {
        return { DATABASE_URL: `sqlite:${join(folder.path, `store-${++files}.db`)}` };
      }
      return { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: await redis.newDatabase() };
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
