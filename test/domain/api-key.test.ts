import { describe, expect, test } from 'bun:test';
import { keyState, rotation, toKnownKey } from '../../src/domain/api-key.ts';
import { anAccount } from '../support/account.ts';
import { anApiKey } from '../support/api-key.ts';

describe('the state of a key', () => {
  test('is active exactly as long as authentication accepts the key', () => {
    for (const key of [
      anApiKey(),
      anApiKey({ expiresAtMs: 1_000 }),
      anApiKey({ revokedAtMs: 500, expiresAtMs: 1_000 }),
    ]) {
      const { endsAtMs } = toKnownKey(key, anAccount());
      for (const nowMs of [0, 499, 500, 999, 1_000]) {
        expect(keyState(key, nowMs) === 'active').toBe(nowMs < endsAtMs);
      }
    }
  });

  test('is expired from its expiry on, unless the key was revoked before', () => {
    expect(keyState(anApiKey({ expiresAtMs: 1_000 }), 1_000)).toBe('expired');
    expect(keyState(anApiKey({ revokedAtMs: 1, expiresAtMs: 2 }), 3)).toBe('revoked');
  });
});

test('a rotation never extends the old key', () => {
  expect(rotation(anApiKey({ expiresAtMs: 5_000 }), 1_000, 86_400_000).oldExpiresAtMs).toBe(5_000);
});
