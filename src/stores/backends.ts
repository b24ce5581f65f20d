import type { Backend, BackendKind, BackendOptions } from '../domain/backend.ts';
import { postgres } from './postgres/backend.ts';
import { sqlite } from './sqlite/backend.ts';

/** Every kind of database that DATABASE_URL can name. */
export const BACKEND_KINDS: readonly BackendKind[] = [sqlite, postgres];

export function backendAt(url: string, options: BackendOptions): Backend | undefined {
  for (const kind of BACKEND_KINDS) {
    const backend = kind.at(url, options);
    if (backend !== undefined) return backend;
  }
  return undefined;
}

/** One line for the operator about an error of a store. Undefined for any other error. */
export function explainStoreError(error: unknown): string | undefined {
  for (const kind of BACKEND_KINDS) {
    const explanation = kind.explain(error);
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}
