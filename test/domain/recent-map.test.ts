import { expect, test } from 'bun:test';
import { RecentMap } from '../../src/domain/recent-map.ts';

test('holds what was put in last, up to its size, and what was asked for since', () => {
  const map = new RecentMap<number, string>(4);
  for (const key of [1, 2]) map.set(key, `${key}`);
  expect(map.isCrowded).toBe(false);
  map.set(3, '3');
  expect(map.isCrowded).toBe(true);
  expect(map.get(1)).toBe('1');
  map.set(4, '4');
  expect([1, 2, 3, 4].map((key) => map.get(key))).toEqual(['1', undefined, '3', '4']);
  expect(map.entries().size).toBeLessThanOrEqual(4);
});

test('another value for a key takes no more room', () => {
  const map = new RecentMap<number, string>(4);
  for (const key of [1, 2, 2, 1]) map.set(key, 'again');
  expect(map.isCrowded).toBe(false);
  map.set(3, '3');
  map.set(1, 'anew');
  expect(map.get(1)).toBe('anew');
  expect(map.entries()).toEqual(
    new Map([
      [2, 'again'],
      [3, '3'],
      [1, 'anew'],
    ]),
  );
});

test('forgets what it is told to', () => {
  const map = new RecentMap<number, string>(4);
  for (const key of [1, 2, 3]) map.set(key, `${key}`);
  map.delete(1);
  map.delete(3);
  expect([...map.entries().keys()]).toEqual([2]);
  map.clear();
  expect(map.get(2)).toBeUndefined();
});

test('looking changes nothing', () => {
  const map = new RecentMap<number, string>(4);
  for (const key of [1, 2, 3, 4]) map.set(key, `${key}`);
  for (const key of [1, 2, 3, 4, 1, 2]) expect(map.peek(key)).toBe(`${key}`);
  expect(map.peek(5)).toBeUndefined();
});
