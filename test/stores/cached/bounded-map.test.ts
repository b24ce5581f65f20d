import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import { BoundedMap } from '../../../src/stores/cached/bounded-map.ts';

test('in a full map, one in eight new entries replaces the oldest', () => {
  const map = new BoundedMap(3);
  for (let key = 1; key <= 19; key++) map.set(key, key);
  expect([...map.keys()]).toEqual([3, 11, 19]);
});

test('a map that was cleared keeps no entry in memory', () => {
  const map = new BoundedMap(10_000);
  const before = heapStats().objectCount;
  for (const size of [11_000, 9_000, 9_000, 9_000, 9_000]) {
    for (let key = 0; key < size; key++) map.set(key, {});
    map.clear();
  }
  Bun.gc(true);
  expect(heapStats().objectCount).toBeLessThan(before + 20_000);
  expect(map.size).toBe(0);
});
