import { describe, expect, test } from 'bun:test';
import { keyState, parseLabel, rotation, toKnownKey } from '../../src/domain/api-key.ts';
import { anApiKey } from '../support/api-key.ts';

const DAY_MS = 86_400_000;

describe('the state of a key', () => {
  test('ends when authentication sees it end', () => {
    const limits = { perMinute: 1, perDay: 1 };
    const account = { id: 1, name: 'x', plan: 'enterprise', limits, createdAtMs: 0 } as const;
    for (const key of [
      anApiKey(),
      anApiKey({ expiresAtMs: 1_000 }),
      anApiKey({ revokedAtMs: 500, expiresAtMs: 1_000 }),
    ]) {
      const { endsAtMs } = toKnownKey(key, account);
      for (const nowMs of [0, 499, 500, 999, 1_000]) {
        expect(keyState(key, nowMs) === 'active').toBe(nowMs < endsAtMs);
      }
    }
  });

  test('it is active up to its expiry and expired from then on', () => {
    expect(keyState(anApiKey({ expiresAtMs: 1_000 }), 999)).toBe('active');
    expect(keyState(anApiKey({ expiresAtMs: 1_000 }), 1_000)).toBe('expired');
    expect(keyState(anApiKey(), Number.MAX_SAFE_INTEGER)).toBe('active');
  });

  test('revoked is revoked, expired or not', () => {
    expect(keyState(anApiKey({ revokedAtMs: 1, expiresAtMs: 2 }), 3)).toBe('revoked');
  });
});

describe('a rotation', () => {
  test('the old key lasts for the overlap and the new one without end', () => {
    expect(rotation(anApiKey(), 1_000, DAY_MS)).toEqual({
      oldExpiresAtMs: 1_000 + DAY_MS,
      newExpiresAtMs: null,
    });
  });

  test('the old key never lasts longer than it would have', () => {
    expect(rotation(anApiKey({ expiresAtMs: 5_000 }), 1_000, DAY_MS).oldExpiresAtMs).toBe(5_000);
  });

  test('the new key lives as long as the old one was meant to', () => {
    const old = anApiKey({ createdAtMs: 1_000, expiresAtMs: 1_000 + 90 * DAY_MS });
    expect(rotation(old, DAY_MS, 0).newExpiresAtMs).toBe(DAY_MS + 90 * DAY_MS);
  });

  test('a key is rotated once', () => {
    expect(() => rotation(anApiKey({ successorId: 2 }), 1, 0)).toThrow(
      'Key 1 was already rotated to key 2. Rotate that one.',
    );
  });

  test('an expired or revoked key has no successor', () => {
    expect(() => rotation(anApiKey({ expiresAtMs: 1 }), 2, 0)).toThrow('Key 1 is expired');
    expect(() => rotation(anApiKey({ revokedAtMs: 1 }), 2, 0)).toThrow('Key 1 is revoked');
  });
});

test('a label is short and has no control characters', () => {
  expect(parseLabel('build server')).toBe('build server');
  expect(() => parseLabel('x'.repeat(101))).toThrow('at most 100 characters');
  expect(() => parseLabel('a\nb')).toThrow('control characters');
});
