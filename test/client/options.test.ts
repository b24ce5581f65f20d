import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { AnimalStore, type AnimalStoreOptions } from '../../packages/client/src/animal-store.ts';
import { checkArgument } from '../../packages/client/src/arguments.ts';
import { HOOK_NAMES } from '../../packages/client/src/hooks.ts';
import { settingsFrom } from '../../packages/client/src/options.ts';
import { BAN_RULES } from '../../src/domain/ban.ts';
import { isIdempotencyKey } from '../../src/domain/pet.ts';

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
    'shop.example/v1',
    'ftp://shop.example/v1',
    '',
    'https://shop.example',
    'https://shop.example/v2',
    'https://v1',
    'https://ask_secret@shop.example/v1',
    'https://shop.example/v1?key=ask_secret',
    'https://shop.example/v1#ask_secret',
    5 as never,
    null as never,
  ])('cannot be %j', (baseUrl) => {
    expectRefusal({ ...valid, baseUrl }, 'baseUrl must be an http or https URL that ends in /v1');
  });
});

test.each(['', 'two words', 'line\nbreak', 'schlüssel', null as never])(
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
  [{ hooks: { onwait: () => {} } }, 'hooks'],
  [{ headers: 'x' }, 'headers'],
  [{ headers: { 'a b': 'c' } }, 'headers'],
  [{ headers: { authorization: 'Bearer x' } }, 'headers'],
])('%j is refused', (invalid, name) => {
  expectRefusal({ ...valid, ...(invalid as object) }, `${name} must be`);
});

test.each(HOOK_NAMES)('the message about hooks names %s', (name) => {
  expectRefusal({ ...valid, hooks: { [name]: 5 as never } }, name);
});

test.each([null, 5, 'https://shop.example/v1'])('the options cannot be %j', (options) => {
  expectRefusal(options as never, 'The options must be an object');
});

test('an unknown option is refused, with the names of all options', () => {
  const typo = { ...valid, timeout: 5 } as AnimalStoreOptions;
  expectRefusal(typo, '"timeout" is not an option. The options are baseUrl, apiKey, pace, timeout');
});

test('an undefined option has its default', () => {
  const { maxRetries, hooks } = settingsFrom({ ...valid, maxRetries: undefined, hooks: undefined });
  expect({ maxRetries, hooks }).toEqual({ maxRetries: 5, hooks: {} });
});

describe('the environment', () => {
  const saved = { ...process.env };
  const set = (baseUrl: string, apiKey: string) =>
    Object.assign(process.env, { ANIMAL_STORE_BASE_URL: baseUrl, ANIMAL_STORE_API_KEY: apiKey });
  beforeEach(() => void set('https://shop.example/v1', ' ask_secret\n'));
  afterEach(() => {
    for (const name of ['ANIMAL_STORE_BASE_URL', 'ANIMAL_STORE_API_KEY']) delete process.env[name];
    Object.assign(process.env, saved);
  });

  test('has the base address and the key by default', () => {
    expect(settingsFrom({})).toMatchObject(valid);
    expect(new AnimalStore()).toBeInstanceOf(AnimalStore);
  });

  test('is ignored if both are options', () => {
    const options = { baseUrl: 'https://other.example/v1', apiKey: 'ask_other' };
    expect(settingsFrom(options)).toMatchObject(options);
  });

  test.each([
    ['https://shop.example/v1', '', 'Pass apiKey to new AnimalStore, or set ANIMAL_STORE_API_KEY'],
    [' ', 'ask_secret', 'Pass baseUrl to new AnimalStore, or set ANIMAL_STORE_BASE_URL'],
    ['https://shop.example', 'ask_secret', 'baseUrl must be'],
    ['https://shop.example/v1', 'ask_secret 2', 'apiKey must be'],
  ])('cannot be %j and %j', (baseUrl, apiKey, words) => {
    set(baseUrl, apiKey);
    expectRefusal({}, words);
  });
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
