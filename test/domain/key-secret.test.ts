import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { hasValidChecksum, isWellFormed, mintSecret } from '../../src/domain/key-secret.ts';

describe('a secret', () => {
  test('is ask_, 32 random characters and a checksum of 6 characters', () => {
    for (let i = 0; i < 1_000; i++) {
      const secret = mintSecret(randomBytes);
      expect(secret).toMatch(/^ask_[0-9A-Za-z]{38}$/);
      expect(hasValidChecksum(secret)).toBe(true);
    }
  });

  test('has a wrong checksum when one character changes', () => {
    const secret = mintSecret(randomBytes);
    const position = fc.integer({ min: 4, max: secret.length - 1 });
    fc.assert(
      fc.property(position, fc.constantFrom(...'0Az9'), (at, other) => {
        fc.pre(secret[at] !== other);
        const typo = secret.slice(0, at) + other + secret.slice(at + 1);
        expect(hasValidChecksum(typo)).toBe(false);
      }),
    );
  });

  test('uses all characters equally often', () => {
    const counts = new Map<string, number>();
    let start = 0;
    // Over 256 calls, each position gets every byte once.
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
    'that is %p is refused',
    (text) => expect(isWellFormed(text) && hasValidChecksum(text)).toBe(false),
  );
});
