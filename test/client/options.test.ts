import { describe, expect, test } from 'bun:test';
import { AnimalStore, type AnimalStoreOptions } from '../../src/client/animal-store.ts';
import { checkOptions } from '../../src/client/options.ts';
import { BAN_RULES } from '../../src/domain/ban.ts';

const right: AnimalStoreOptions = { baseUrl: 'https://shop.example/v1', apiKey: 'ask_secret' };

describe('the base address', () => {
  test.each([
    ['https://shop.example/v1', 'https://shop.example/v1'],
    ['https://shop.example/v1/', 'https://shop.example/v1'],
    ['http://127.0.0.1:8080/shop/v1', 'http://127.0.0.1:8080/shop/v1'],
  ])('may be %s', (baseUrl, used) => {
    expect(checkOptions({ ...right, baseUrl }).baseUrl).toBe(used);
    expect(checkOptions({ ...right, baseUrl: new URL(baseUrl) }).baseUrl).toBe(used);
  });

  test.each([
    ['shop.example/v1', 'begins with https:// or http://'],
    ['ftp://shop.example/v1', 'begins with https:// or http://'],
    ['', 'begins with https:// or http://'],
    ['https://shop.example', 'must end in /v1'],
    ['https://shop.example/v2', 'must end in /v1'],
    ['https://ask_secret@shop.example/v1', 'no user, password, query or fragment'],
    ['https://shop.example/v1?key=ask_secret', 'no user, password, query or fragment'],
  ])('is refused when it is "%s"', (baseUrl, rule) => {
    expectRefusal({ ...right, baseUrl }, rule);
  });
});

test.each(['', 'two words', 'line\nbreak', 'schlüssel', undefined as never])(
  'the API key %j is refused, and not quoted',
  (apiKey) => {
    expectRefusal({ ...right, apiKey }, 'apiKey must be a key');
  },
);

test.each([
  [{ timeoutSeconds: 0 }, 'timeoutSeconds'],
  [{ timeoutSeconds: Number.NaN }, 'timeoutSeconds'],
  [{ timeoutSeconds: '5' }, 'timeoutSeconds'],
  [{ maxRetries: -1 }, 'maxRetries'],
  [{ maxRetries: 1.5 }, 'maxRetries'],
  [{ maxRetryWaitSeconds: -1 }, 'maxRetryWaitSeconds'],
  [{ maxRetryWaitSeconds: '60' }, 'maxRetryWaitSeconds'],
  [{ maxConcurrentRequests: 0 }, 'maxConcurrentRequests'],
  [{ maxConcurrentRequests: 201 }, 'maxConcurrentRequests'],
  [{ pace: 'no' }, 'pace'],
  [{ fetch: 5 }, 'fetch'],
  [{ hooks: null }, 'hooks'],
  [{ hooks: () => {} }, 'hooks'],
  [{ hooks: { onWait: 'log' } }, 'hooks'],
])('%j is refused', (wrong, name) => {
  expectRefusal({ ...right, ...(wrong as object) }, `${name} must be`);
});

test('no more requests may be under way than an obedient client may have', () => {
  const most = BAN_RULES.mostInFlight;
  expect(checkOptions({ ...right, maxConcurrentRequests: most })).toBeDefined();
  expectRefusal({ ...right, maxConcurrentRequests: most + 1 }, `1 to ${most}`);
});

function expectRefusal(options: AnimalStoreOptions, words: string): void {
  const make = () => new AnimalStore(options);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(words);
  expect(make).not.toThrow('ask_secret');
}
