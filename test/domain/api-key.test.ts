import { describe, expect, test } from 'bun:test';
import { keyState, rotation, stateForRequests } from '../../src/domain/api-key.ts';
import { aKnownKey, anApiKey } from '../support/api-key.ts';

describe('the state of a key', () => {
  test('is expired from its expiry on, unless the key was revoked before', () => {
    expect(keyState(anApiKey({ expiresAtMs: 1_000 }), 999)).toBe('active');
    expect(keyState(anApiKey({ expiresAtMs: 1_000 }), 1_000)).toBe('expired');
    expect(keyState(anApiKey({ revokedAtMs: 1, expiresAtMs: 2 }), 3)).toBe('revoked');
  });

  test('is that of its account if only the account is suspended', () => {
    expect(stateForRequests(aKnownKey({ accountSuspendedAtMs: 1 }), 1)).toBe('suspended');
    expect(stateForRequests(aKnownKey({ accountSuspendedAtMs: 1, revokedAtMs: 1 }), 1)).toBe(
      'revoked',
    );
  });
});

test('a rotation never extends the old key', () => {
  expect(rotation(anApiKey({ expiresAtMs: 5_000 }), 1_000, 86_400_000).oldExpiresAtMs).toBe(5_000);
});
