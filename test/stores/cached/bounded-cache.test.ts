import { expect, test } from 'bun:test';
import { BoundedCache } from '#stores/cached/bounded-cache.ts';

test('a full cache takes one in eight new entries, in place of its oldest', () => {
  const cache = new BoundedCache<number, number>(3);
  const keys = Array.from({ length: 19 }, (_, index) => index + 1);
  for (const key of keys) cache.offer(key, key);
  expect(keys.filter((key) => cache.get(key) === key)).toEqual([3, 11, 19]);
});
