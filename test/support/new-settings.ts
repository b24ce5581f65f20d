import { join } from 'node:path';
import type { Settings } from './command.ts';
import { postgresForSuites } from './postgres.ts';
import { redisForSuites } from './redis.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const BACKENDS = ['SQLite', 'PostgreSQL and Redis'] as const;

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
    async newSettings(backend: (typeof BACKENDS)[number]): Promise<Settings> {
      if (backend === 'SQLite') {
        return { DATABASE_URL: `sqlite:${join(folder.path, `store-${++files}.db`)}` };
      }
      return { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: await redis.newDatabase() };
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
