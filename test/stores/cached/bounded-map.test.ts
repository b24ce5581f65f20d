import { expect, test } from 'bun:test';
import { BoundedMap } from '../../../src/stores/cached/bounded-map.ts';

test('in a full map, one in eight new entries replaces the oldest', () => {
  const map = new BoundedMap(3);
  for (let key = 1; key <= 19; key++) map.set(key, key);
  expect([...map.keys()]).toEqual([3, 11, 19]);
});

test('a map that was cleared keeps no entry in memory', async () => {
  const map = new BoundedMap(1_000);
  const entries: WeakRef<object>[] = [];
  for (const size of [1_100, 900, 900, 900]) {
    for (let key = 0; key < size; key++) {
      const entry = {};
      entries.push(new WeakRef(entry));
      map.set(key, entry);
    }
    map.clear();
  }
  await Bun.sleep(0);
  Bun.gc(true);
  expect(entries.filter((entry) => entry.deref()).length).toBeLessThan(1_000);
  expect(map.size).toBe(0);
});
