import { describe, expect, test } from 'bun:test';
import type { KnownKey } from '#domain/api-key.ts';
import type { Revision } from '#domain/backend.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import { cachedKeyFinder } from '#stores/cached/cached-key-finder.ts';
import { Clock, rejection } from '../../support/time.ts';
import { aKnownKey } from '../../support/values.ts';

const SECRET = `ask_${'0'.repeat(38)}`;
const KNOWN = aKnownKey();

/** A cache in front of a store that counts lookups and can fail. */
function cachedKeys(revision?: Revision) {
  const store = {
    lookups: 0,
    known: KNOWN as KnownKey | undefined,
    error: undefined as Error | undefined,
    async findKey() {
      store.lookups++;
      await Promise.resolve();
      if (store.error !== undefined) throw store.error;
      return store.known;
    },
  };
  const clock = new Clock();
  const byTime = { changes: () => Math.floor(clock.now() / 500), expire() {} };
  const keys = cachedKeyFinder(store, revision ?? byTime, clock.now);
  return { store, clock, find: async () => keys.findKey(SECRET) };
}

describe('a key', () => {
  test('is cached for half a second when the store cannot say whether it changed', async () => {
    const { store, clock, find } = cachedKeys();
    for (let i = 0; i < 10; i++) expect(await find()).toMatchObject(KNOWN);
    expect(store.lookups).toBe(1);
    clock.advance(0.5);
    store.known = undefined;
    expect(await find()).toBeUndefined();
    // A removed key must not become valid again from the cache while the store is unavailable.
    store.error = new StoreUnavailableError('unavailable');
    expect(await rejection(find())).toBe(store.error);
  });

  test('is looked up once by concurrent requests, and again by one after a change', async () => {
    let changes = 0;
    const { store, find } = cachedKeys({ changes: () => changes, expire() {} });
    const before = Array.from({ length: 50 }, find);
    changes++;
    await Promise.all([...before, find()]);
    expect(store.lookups).toBe(2);
  });

  test('stays valid for a minute after its last use while the store is unavailable', async () => {
    let changes = 0;
    const { store, clock, find } = cachedKeys({ changes: () => changes, expire() {} });
    await find();
    clock.advance(3_600);
    await find();
    expect(store.lookups).toBe(1);
    changes++;
    store.error = new StoreUnavailableError('unavailable');
    clock.advance(59.999);
    expect(await find()).toMatchObject(KNOWN);
    clock.advance(0.001);
    expect(await rejection(find())).toBe(store.error);
  });
});

test('an unknown key is not looked up again before the next write, except in a store that does not report writes', async () => {
  let writes = 1;
  const silent = cachedKeys();
  const { store, find } = cachedKeys({ changes: () => 1, writes: () => writes, expire() {} });
  for (const cache of [silent, { store, find }]) {
    cache.store.known = undefined;
    for (let i = 0; i < 3; i++) expect(await cache.find()).toBeUndefined();
  }
  expect([silent.store.lookups, store.lookups]).toEqual([3, 1]);
  writes++;
  store.known = KNOWN;
  expect(await find()).toMatchObject(KNOWN);
});
