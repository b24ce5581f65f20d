import { describe, expect, test } from 'bun:test';
import { compareWithEarlier, isIdempotencyKey } from '../../src/domain/idempotency.ts';

const DAY_MS = 86_400_000;

describe('a creation with an idempotency key', () => {
  const once = { accountId: 1, key: 'k', fingerprint: 'same', nowMs: 10 * DAY_MS };

  const compare = (fingerprint: string, ageMs: number) =>
    compareWithEarlier({ fingerprint, createdAtMs: once.nowMs - ageMs }, once);

  test('is a retry if the fingerprint is the same, for 24 hours', () => {
    expect(compare('same', 0)).toBe('retry');
    expect(compare('same', DAY_MS - 1)).toBe('retry');
    expect(compare('same', DAY_MS)).toBe('expired');
  });

  test('is a reuse if the fingerprint differs, for 24 hours', () => {
    expect(compare('other', DAY_MS - 1)).toBe('reused');
    expect(compare('other', DAY_MS)).toBe('expired');
  });
});

test('an idempotency key is 1 to 255 printable ASCII characters without spaces', () => {
  for (const key of ['x', '~!', 'x'.repeat(255)]) expect(isIdempotencyKey(key)).toBe(true);
  for (const key of ['', ' ', 'a b', 'ä', '\x7f', 'x'.repeat(256)]) {
    expect(isIdempotencyKey(key)).toBe(false);
  }
});
