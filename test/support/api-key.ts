import type { ApiKey } from '../../src/domain/api-key.ts';

/** An active key, with the changes of a test. */
export function anApiKey(changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 1,
    accountId: 1,
    label: '',
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
    unbannedAtMs: 0,
    successorId: null,
    ...changes,
  };
}
