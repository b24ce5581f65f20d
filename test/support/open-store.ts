import { existsSync } from 'node:fs';
import type { Backend, Store } from '../../src/domain/backend.ts';
import type { Origin } from '../../src/domain/operator/audit.ts';
import { backendAt } from '../../src/stores/backends.ts';

/** The origin of changes that a test makes. */
export const TEST_ORIGIN: Origin = { command: 'test', operator: 'tester' };

export function backend(url: string, connections = 1, now: () => number = Date.now): Backend {
  const options = { connections, timeoutMs: 5_000, setting: 'DATABASE_URL', now };
  const found = backendAt(url, options);
  if (found === undefined) throw new Error(`No backend for ${url}`);
  return found;
}

/** Opens a store the way the service does. */
export function openStore(url: string, connections?: number): Promise<Store> {
  return backend(url, connections).openStore();
}

/** Creates a store if there is none, as the first start of a service does. */
export async function createStore(url: string): Promise<void> {
  const { isEmbedded, description } = backend(url);
  // A service may hold the lock of a file that exists.
  if (isEmbedded && existsSync(description)) return;
  await using _store = await openStore(url);
}
