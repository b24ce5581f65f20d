import { describe, expect, test } from 'bun:test';
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

describe('where more is asked for than fits', () => {
  function crowded() {
    const cache = new ReadCache<number, number>(() => 1, 4);
    const ask = (key: number) => {
      const isKnown = cache.recall(key) !== undefined;
      if (!isKnown) cache.remember(key, key);
      return isKnown;
    };
    for (let key = 1; key <= 100; key++) {
      ask(1);
      ask(key);
    }
    return { cache, ask };
  }

  test('only so many are remembered, and those that are asked for again stay', () => {
    const { cache } = crowded();
    const kept = Array.from({ length: 100 }, (_, index) => index + 1).filter(
      (key) => cache.recall(key) !== undefined,
    );
    expect(kept).toContain(1);
    expect(kept.length).toBeLessThanOrEqual(4);
  });

  test('a newcomer is let in when it is asked for eight times', () => {
    const { ask } = crowded();
    const found = Array.from({ length: 9 }, () => ask(1_000));
    expect(found.at(-1)).toBe(true);
    expect(found[0]).toBe(false);
  });

  test('most newcomers leave what is there as it is', () => {
    const { ask } = crowded();
    ask(1);
    let admitted = 0;
    for (let key = 2_000; key < 2_080; key++) {
      ask(key);
      if (ask(key)) admitted++;
    }
    expect(admitted).toBeLessThanOrEqual(20);
  });
});

test('what was on its way while something changed is handed over, and not remembered', async () => {
  let revision = 1;
  const cache = new ReadCache<string, string>(() => revision, 10);
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = cache.recallOrRead('a', () => promise);
  revision = 2;
  expect(cache.recall('b')).toBeUndefined();
  resolve('of before');
  expect(await asked).toBe('of before');
  expect(cache.recall('a')).toBeUndefined();
  expect(await cache.recallOrRead('a', () => 'of now')).toBe('of now');
  expect(cache.recall('a')).toBe('of now');
});

test('what is not worth it is not remembered', async () => {
  const cache = new ReadCache<string, number>(
    () => 1,
    10,
    (value) => value < 5,
  );
  expect(cache.recall('small')).toBeUndefined();
  cache.remember('small', 4);
  cache.remember('large', 5);
  expect([cache.recall('small'), cache.recall('large')]).toEqual([4, undefined]);
});
