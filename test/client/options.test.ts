import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { AnimalStore, type AnimalStoreOptions } from '../../packages/client/src/animal-store.ts';
import { settingsFrom } from '../../packages/client/src/options.ts';
import { BAN_RULES } from '../../src/domain/ban.ts';

const valid: AnimalStoreOptions = { baseUrl: 'https://shop.example/v1', apiKey: 'ask_secret' };

describe('the base address', () => {
  test.each([
    ['https://shop.example/v1', 'https://shop.example/v1'],
    ['https://shop.example/v1/', 'https://shop.example/v1'],
  ])('can be %s', (baseUrl, normalized) => {
    expect(settingsFrom({ ...valid, baseUrl }).baseUrl).toBe(normalized);
    expect(settingsFrom({ ...valid, baseUrl: new URL(baseUrl) }).baseUrl).toBe(normalized);
  });

  test.each([
    ...['shop.example/v1', 'ftp://shop.example/v1', '', 'https://shop.example', 'https://v1'],
    ...['https://ask_secret@shop.example/v1', 'https://shop.example/v1?key=ask_secret'],
    5 as never,
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

describe('the environment', () => {
  const saved = { ...process.env };
  const set = (baseUrl: string, apiKey: string) =>
    Object.assign(process.env, { ANIMAL_STORE_BASE_URL: baseUrl, ANIMAL_STORE_API_KEY: apiKey });
  beforeEach(() => void set('https://shop.example/v1', ' ask_secret\n'));
  afterEach(() => {
    for (const name of ['ANIMAL_STORE_BASE_URL', 'ANIMAL_STORE_API_KEY']) delete process.env[name];
    Object.assign(process.env, saved);
  });

  test('has the base address and the key by default, and options have defaults', () => {
    expect(settingsFrom({})).toMatchObject({
      ...valid,
      pace: true,
      timeoutSeconds: 30,
      maxRetries: 5,
      maxRetryWaitSeconds: 120,
      maxConcurrentRequests: 32,
    });
    expect(new AnimalStore()).toBeInstanceOf(AnimalStore);
  });

  test.each([
    ['https://shop.example/v1', '', 'Pass apiKey to new AnimalStore, or set ANIMAL_STORE_API_KEY'],
    [' ', 'ask_secret', 'Pass baseUrl to new AnimalStore, or set ANIMAL_STORE_BASE_URL'],
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

function expectRefusal(options: AnimalStoreOptions, words: string): void {
  const make = () => new AnimalStore(options);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(words);
  expect(make).not.toThrow('ask_secret');
}
