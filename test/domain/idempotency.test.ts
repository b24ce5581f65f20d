import { expect, test } from 'bun:test';
import { isIdempotencyKey } from '../../src/domain/pet.ts';

test('an idempotency key is 1 to 255 printable ASCII characters without spaces', () => {
  for (const key of ['x', '~!', 'x'.repeat(255)]) expect(isIdempotencyKey(key)).toBe(true);
  for (const key of ['', ' ', 'a b', 'ä', '\x7f', 'x'.repeat(256)]) {
    expect(isIdempotencyKey(key)).toBe(false);
  }
});
