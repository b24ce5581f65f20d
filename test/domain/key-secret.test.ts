import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { hasValidChecksum, mintSecret, redactSecrets, splitToken } from '#domain/key-secret.ts';

describe('a secret', () => {
  test.each([
    ['production', /^ask_[0-9A-Za-z]{38}$/],
    ['staging', /^ask_test_[0-9A-Za-z]{38}$/],
  ] as const)(
    'of %s is a prefix, 32 random characters and a checksum of 6 characters',
    (environment, form) => {
      const secret = mintSecret(randomBytes, environment);
      expect(secret).toMatch(form);
      expect(hasValidChecksum(secret)).toBe(true);
      expect(splitToken(secret)).toEqual({ environment, secret });
    },
  );

  test('of an earlier version stays valid', () => {
    expect(hasValidChecksum('ask_07ELSZgnu18FMTahov29GNUbipw3AHOV3cqvrR')).toBe(true);
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
});

test('only a test key can ask for a failure, by a name after "~"', () => {
  const secret = mintSecret(randomBytes, 'staging');
  const token = { environment: 'staging', secret } as const;
  expect(splitToken(`${secret}~slow-0.5s`)).toEqual({ ...token, rehearsal: 'slow-0.5s' });
  for (const text of [`${secret}~`, `${secret}~a b`, `${secret}~drop~drop`, `${secret}drop`]) {
    expect(splitToken(text)).toBeUndefined();
  }
  expect(splitToken(`${mintSecret(randomBytes)}~drop`)).toBeUndefined();
});

test.each(['production', 'staging'] as const)(
  'redaction removes a secret of %s in any letter case of the prefix, after anything or alone',
  (environment) => {
    const letters = fc.string({ unit: fc.constantFrom(...'0Az_ %4'), maxLength: 12 });
    const part = fc.oneof(fc.string(), letters);
    const prefix = fc.mixedCase(fc.constantFrom('ask_', 'ask_test_', 'ask', ''));
    const bytes = fc.uint8Array({ minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(part, prefix, part, bytes, part, (before, start, between, random, after) => {
        fc.pre(random.filter((byte) => byte < 248).length >= 32);
        const bare = mintSecret(() => random, environment).slice(-38);
        const text = redactSecrets(before + start + between + bare + after);
        expect(text).not.toContain(bare);
        expect(text).not.toContain(bare.slice(2, 32));
      }),
    );
  },
);

const HASH = 'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78';

test.each([
  [`/v1/pets/ASK_${'0a1b'.repeat(5)}`, '/v1/pets/ASK_[redacted]'],
  [`Ask_Test_${'0a1b'.repeat(9)} flask_app`, 'Ask_Test_[redacted] flask_app'],
  [`aso_${'0a1b'.repeat(5)}`, 'aso_[redacted]'],
  [HASH, HASH],
])(
  'redaction keeps the prefix of a secret, which says what it was, and all other text: %s',
  (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted);
  },
);
