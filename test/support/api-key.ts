import {
  type ApiKey,
  type KnownKey,
  type KnownKeyRow,
  toKnownKey,
} from '../../src/domain/api-key.ts';

/** An active key, with the changes of a test. */
export function anApiKey(changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 1,
    accountId: 1,
    lastFour: 'AAAA',
    label: '',
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
    unbannedAtMs: 0,
    successorId: null,
    scope: 'all',
    ...changes,
  };
}

export function aKnownKey(changes: Partial<KnownKeyRow> = {}): KnownKey {
  return toKnownKey({
    ...anApiKey(),
    accountName: 'x',
    accountSuspendedAtMs: null,
    plan: 'free',
    perMinute: null,
    perDay: null,
    clockPutToMs: 0,
    clockOffsetMs: 0,
    resets: 0,
    ...changes,
  });
}
