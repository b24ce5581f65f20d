import { describe, expect, test } from 'bun:test';
import { keyState, rotation, toKnownKey } from '../../src/domain/api-key.ts';
import { anAccount } from '../support/account.ts';
import { anApiKey } from '../support/api-key.ts';

const DAY_MS = 86_400_000;

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

describe('a rotation', () => {
  test('keeps the old key for the overlap, and the new key does not expire', () => {
    expect(rotation(anApiKey(), 1_000, DAY_MS)).toEqual({
      oldExpiresAtMs: 1_000 + DAY_MS,
      newExpiresAtMs: null,
    });
  });

  test('never extends the old key', () => {
    expect(rotation(anApiKey({ expiresAtMs: 5_000 }), 1_000, DAY_MS).oldExpiresAtMs).toBe(5_000);
  });

  test('gives the new key the lifetime of the old one', () => {
    const old = anApiKey({ createdAtMs: 1_000, expiresAtMs: 1_000 + 90 * DAY_MS });
    expect(rotation(old, DAY_MS, 0).newExpiresAtMs).toBe(DAY_MS + 90 * DAY_MS);
  });

  test('of a key that was already rotated is refused', () => {
    expect(() => rotation(anApiKey({ successorId: 2 }), 1, 0)).toThrow(
      'Key 1 was already rotated to key 2. Rotate that one.',
    );
  });

  test('of an expired or revoked key is refused', () => {
    expect(() => rotation(anApiKey({ expiresAtMs: 1 }), 2, 0)).toThrow('Key 1 is expired');
    expect(() => rotation(anApiKey({ revokedAtMs: 1 }), 2, 0)).toThrow('Key 1 is revoked');
  });
});
