import { join } from 'node:path';
import type { Limiter } from '../../src/domain/rate-limit.ts';
import type { Store } from '../../src/domain/store.ts';
import { MemoryLimiter } from '../../src/memory/limiter.ts';
import { openSqliteStore } from '../../src/sqlite/store.ts';
import type { Clock } from './clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Backend extends AsyncDisposable {
  readonly store: Store;
  readonly limiter: Limiter;
}

/** Each pair of store and limiter that the service can run on. */
export const BACKENDS: Readonly<Record<string, (clock: Clock) => Promise<Backend>>> = {
  'SQLite and memory': openEmbedded,
};

async function openEmbedded({ now }: Clock): Promise<Backend> {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(temporaryFolder());
  const store = resources.use(await openSqliteStore(join(folder.path, 'animal-store.db')));
  const onSaveFailed = (error: unknown) => {
    throw error;
  };
  const limiter = await MemoryLimiter.open({ now, journal: store.journal, onSaveFailed });
  resources.use(limiter);
  return { store, limiter, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
