import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  hasValidChecksum,
  isWellFormed,
  keyState,
  mintSecret,
  parseLabel,
  rotation,
} from '../../src/domain/api-key.ts';
import { anApiKey } from '../support/api-key.ts';

const DAY_MS = 86_400_000;

describe('a secret', () => {
  test('is ask_, 32 random characters and 6 of checksum', () => {
    for (let i = 0; i < 1_000; i++) {
      const secret = mintSecret(randomBytes);
      expect(secret).toMatch(/^ask_[0-9A-Za-z]{38}$/);
      expect(hasValidChecksum(secret)).toBe(true);
    }
  });

  test('any one character changed breaks the checksum', () => {
    const secret = mintSecret(randomBytes);
    const position = fc.integer({ min: 4, max: secret.length - 1 });
    fc.assert(
      fc.property(position, fc.constantFrom(...'0Az9'), (at, other) => {
        fc.pre(secret[at] !== other);
        const slip = secret.slice(0, at) + other + secret.slice(at + 1);
        expect(hasValidChecksum(slip)).toBe(false);
      }),
    );
  });

  test('no character is favoured over another', () => {
    const counts = new Map<string, number>();
    let start = 0;
    // Over 256 calls each place holds every byte once: a fair choice takes all characters alike.
    const everyByte = (count: number) => {
      start++;
      return Uint8Array.from({ length: count }, (_, index) => start + index);
    };
    for (let i = 0; i < 256; i++) {
      for (const character of mintSecret(everyByte).slice(4, 36)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    const all = [...counts.values()];
    expect(Math.max(...all) / Math.min(...all)).toBeLessThan(1.1);
  });

  test.each(['', 'ask_', 'ask_short', `ask_${'0'.repeat(38)}`, `ASK_${'0'.repeat(38)}`])(
    '%p is none',
    (text) => expect(isWellFormed(text) && hasValidChecksum(text)).toBe(false),
  );
});

describe('the state of a key', () => {
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
      'Key 1 was rotated already, to key 2. Rotate that one.',
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
