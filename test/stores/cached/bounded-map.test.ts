import { expect, test } from 'bun:test';
import { BoundedMap } from '../../../src/stores/cached/bounded-map.ts';

test('in a full map, one in eight new entries replaces the oldest', () => {
  const map = new BoundedMap(3);
  for (let key = 1; key <= 19; key++) map.set(key, key);
  expect([...map.keys()]).toEqual([3, 11, 19]);
});
