import type { Backend, BackendKind } from './domain/backend.ts';
import { postgres } from './postgres/backend.ts';
import { sqlite } from './sqlite/backend.ts';

/** Every kind of database that DATABASE_URL can name. */
export const BACKEND_KINDS: readonly BackendKind[] = [sqlite, postgres];

export function backendAt(url: string, connections: number): Backend | undefined {
  for (const kind of BACKEND_KINDS) {
    const backend = kind.at(url, { connections });
    if (backend !== undefined) return backend;
  }
  return undefined;
}
