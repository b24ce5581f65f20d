import { describe, expect, test } from 'bun:test';
import { isIdempotencyKey, isRepetition } from '../../src/domain/idempotency.ts';

const DAY_MS = 86_400_000;

describe('a creation with an idempotency key', () => {
  const once = { accountId: 1, key: 'k', fingerprint: 'same', nowMs: 10 * DAY_MS };

  test('repeats one of the same fingerprint for 24 hours', () => {
    expect(isRepetition('same', once.nowMs, once)).toBe(true);
    expect(isRepetition('same', once.nowMs - DAY_MS + 1, once)).toBe(true);
    expect(isRepetition('same', once.nowMs - DAY_MS, once)).toBe(false);
  });

  test('is a mix-up with one of another fingerprint, until that is forgotten', () => {
    expect(() => isRepetition('other', once.nowMs, once)).toThrow('used for a different animal');
    expect(isRepetition('other', once.nowMs - DAY_MS, once)).toBe(false);
  });
});

test('an idempotency key is 1 to 255 printable ASCII characters without spaces', () => {
  for (const key of ['x', '~!', 'x'.repeat(255)]) expect(isIdempotencyKey(key)).toBe(true);
  for (const key of ['', ' ', 'a b', 'ä', '\x7f', 'x'.repeat(256)]) {
    expect(isIdempotencyKey(key)).toBe(false);
  }
});
