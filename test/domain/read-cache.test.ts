import { expect, test } from 'bun:test';
import { ReadCache } from '../../src/domain/read-cache.ts';

test('what was read is remembered until the revision changes', () => {
  let revision = 1;
  const cache = new ReadCache<string, number>(() => revision, 10);
  expect(cache.recall('a')).toBeUndefined();
  cache.remember('a', 1);
  expect(cache.recall('a')).toBe(1);
  revision = 2;
  expect(cache.recall('a')).toBeUndefined();
});

test('only so many are remembered, and those that are asked for again stay', () => {
  const cache = new ReadCache<number, number>(() => 1, 4);
  for (let key = 1; key <= 100; key++) {
    if (cache.recall(key) === undefined) cache.remember(key, key);
    cache.recall(1);
  }
  const kept = Array.from({ length: 100 }, (_, index) => index + 1).filter(
    (key) => cache.recall(key) !== undefined,
  );
  expect(kept).toContain(1);
  expect(kept).toContain(100);
  expect(kept.length).toBeLessThanOrEqual(4);
});
