import { backendAt } from '../../src/backends.ts';
import type { Backend, Store } from '../../src/domain/backend.ts';

export function backend(url: string, connections = 1): Backend {
  const found = backendAt(url, connections);
  if (found === undefined) throw new Error(`No backend for ${url}`);
  return found;
}

/** Opens a store the way the service does. */
export function openStore(url: string, connections?: number): Promise<Store> {
  return backend(url, connections).openStore(Date.now);
}
