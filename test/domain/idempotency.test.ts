import { describe, expect, test } from 'bun:test';
import { compareWithEarlier, isIdempotencyKey } from '../../src/domain/idempotency.ts';

const DAY_MS = 86_400_000;

describe('a creation with an idempotency key', () => {
  const once = { accountId: 1, key: 'k', fingerprint: 'same', nowMs: 10 * DAY_MS };

  const compare = (fingerprint: string, ageMs: number) =>
    compareWithEarlier({ fingerprint, createdAtMs: once.nowMs - ageMs }, once);

  test('repeats one of the same fingerprint for 24 hours', () => {
    expect(compare('same', 0)).toBe('repetition');
    expect(compare('same', DAY_MS - 1)).toBe('repetition');
    expect(compare('same', DAY_MS)).toBe('forgotten');
  });

  test('is a mix-up with one of another fingerprint, until that is forgotten', () => {
    expect(compare('other', DAY_MS - 1)).toBe('mix-up');
    expect(compare('other', DAY_MS)).toBe('forgotten');
  });
});

test('an idempotency key is 1 to 255 printable ASCII characters without spaces', () => {
  for (const key of ['x', '~!', 'x'.repeat(255)]) expect(isIdempotencyKey(key)).toBe(true);
  for (const key of ['', ' ', 'a b', 'ä', '\x7f', 'x'.repeat(256)]) {
    expect(isIdempotencyKey(key)).toBe(false);
  }
});
