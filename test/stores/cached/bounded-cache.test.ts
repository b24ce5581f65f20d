import { expect, test } from 'bun:test';
import { BoundedCache } from '../../../src/stores/cached/bounded-cache.ts';

test('a full cache takes one in eight new entries, in place of its oldest', () => {
  const cache = new BoundedCache<number, number>(3);
  const keys = Array.from({ length: 19 }, (_, index) => index + 1);
  for (const key of keys) cache.offer(key, key);
  expect(keys.filter((key) => cache.get(key) === key)).toEqual([3, 11, 19]);
});

test('a cache that was cleared keeps no entry in memory', async () => {
  const cache = new BoundedCache(1_000);
  const entries: WeakRef<object>[] = [];
  for (const size of [1_100, 900, 900, 900]) {
    for (let key = 0; key < size; key++) {
      const entry = {};
      entries.push(new WeakRef(entry));
      cache.offer(key, entry);
    }
    cache.clear();
  }
  await Bun.sleep(0);
  Bun.gc(true);
  expect(entries.filter((entry) => entry.deref()).length).toBeLessThan(1_000);
  expect(cache.get(0)).toBeUndefined();
});
