import { describe, expect, test } from 'bun:test';
import { AnimalStore, type AnimalStoreOptions } from '../../src/client/animal-store.ts';
import { checkArgument } from '../../src/client/arguments.ts';
import { settingsFrom } from '../../src/client/options.ts';
import { BAN_RULES } from '../../src/domain/ban.ts';
import { isIdempotencyKey } from '../../src/domain/idempotency.ts';

const valid: AnimalStoreOptions = { baseUrl: 'https://shop.example/v1', apiKey: 'ask_secret' };

describe('the base address', () => {
  test.each([
    ['https://shop.example/v1', 'https://shop.example/v1'],
    ['https://shop.example/v1/', 'https://shop.example/v1'],
    ['http://127.0.0.1:8080/shop/v1', 'http://127.0.0.1:8080/shop/v1'],
  ])('can be %s', (baseUrl, normalized) => {
    expect(settingsFrom({ ...valid, baseUrl }).baseUrl).toBe(normalized);
    expect(settingsFrom({ ...valid, baseUrl: new URL(baseUrl) }).baseUrl).toBe(normalized);
  });

  test.each([
    ['shop.example/v1', 'begins with https:// or http://'],
    ['ftp://shop.example/v1', 'begins with https:// or http://'],
    ['', 'begins with https:// or http://'],
    ['https://shop.example', 'must end in /v1'],
    ['https://shop.example/v2', 'must end in /v1'],
    ['https://ask_secret@shop.example/v1', 'must not have a user, password, query or fragment'],
    ['https://shop.example/v1?key=ask_secret', 'must not have a user, password, query or fragment'],
  ])('cannot be "%s"', (baseUrl, rule) => {
    expectRefusal({ ...valid, baseUrl }, rule);
  });
});

test.each(['', 'two words', 'line\nbreak', 'schlüssel', undefined as never])(
  'the API key %j is refused, and not quoted',
  (apiKey) => {
    expectRefusal({ ...valid, apiKey }, 'apiKey must be a key');
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
])('%j is refused', (invalid, name) => {
  expectRefusal({ ...valid, ...(invalid as object) }, `${name} must be`);
});

test('maxConcurrentRequests stays within the number that can never lead to a ban', () => {
  const maximum = BAN_RULES.mostInFlight;
  expect(settingsFrom({ ...valid, maxConcurrentRequests: maximum })).toBeDefined();
  expectRefusal({ ...valid, maxConcurrentRequests: maximum + 1 }, `1 to ${maximum}`);
});

test.each([
  '',
  'k',
  'order-17',
  '~!',
  'k'.repeat(255),
  'k'.repeat(256),
  'a b',
  'schlüssel',
  'a\nb',
])('the client and the service agree on the idempotency key %j', (key) => {
  const check = () => checkArgument('idempotencyKey', key);
  if (isIdempotencyKey(key)) expect(check).not.toThrow();
  else expect(check).toThrow(TypeError);
});

function expectRefusal(options: AnimalStoreOptions, words: string): void {
  const make = () => new AnimalStore(options);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(words);
  expect(make).not.toThrow('ask_secret');
}
