import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { BAN_RULES } from '#domain/ban.ts';
import { INT64_MAX, INT64_MIN } from '#formats/int64.ts';
import { AnimalStore, type AnimalStoreOptions } from '../../packages/client/src/animal-store.ts';
import { settingsFrom } from '../../packages/client/src/options.ts';
import { rejection } from '../support/time.ts';

const valid: AnimalStoreOptions = { baseUrl: 'https://shop.example/v1', apiKey: 'ask_secret' };

test('the base address may be a URL, and end with a slash', () => {
  const baseUrl = 'https://shop.example/v1';
  for (const given of [baseUrl, `${baseUrl}/`, new URL(`${baseUrl}/`)]) {
    expect(settingsFrom({ ...valid, baseUrl: given }).baseUrl).toBe(baseUrl);
  }
});

describe('the environment', () => {
  const saved = { ...process.env };
  const set = (baseUrl: string, apiKey: string) =>
    Object.assign(process.env, { ANIMAL_STORE_BASE_URL: baseUrl, ANIMAL_STORE_API_KEY: apiKey });
  beforeEach(() => void set('https://shop.example/v1', ' ask_secret\n'));
  afterEach(() => {
    for (const name of ['BASE_URL', 'API_KEY', 'LOG']) delete process.env[`ANIMAL_STORE_${name}`];
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

  test('has the variable that turns on the log, on standard error', async () => {
    using error = spyOn(console, 'error').mockImplementation(() => {});
    const fetch = async () => new Response('[]', { headers: { 'X-Request-Id': 'a1' } });
    for (const value of ['', '1']) {
      process.env['ANIMAL_STORE_LOG'] = value;
      await new AnimalStore({ ...valid, fetch }).listPets();
    }
    const line = /^Animal Store: GET \/pets, 200, request a1, attempt 1, \d+ ms$/;
    expect(error.mock.calls).toEqual([[expect.stringMatching(line)]]);
  });

  test.each([
    ['https://shop.example/v1', '', 'Pass apiKey to new AnimalStore, or set ANIMAL_STORE_API_KEY'],
    [' ', 'ask_secret', 'Pass baseUrl to new AnimalStore, or set ANIMAL_STORE_BASE_URL'],
  ])('cannot be %j and %j', (baseUrl, apiKey, words) => {
    set(baseUrl, apiKey);
    expectRefusal({}, words);
  });
});

describe('a warning about a timeout that was probably meant in milliseconds', () => {
  const warn = spyOn(console, 'warn');
  const warnings = () => warn.mock.calls.flat();
  beforeEach(() => void warn.mockReset().mockImplementation(() => {}));
  afterAll(() => warn.mockRestore());

  test.each([
    [{ timeoutSeconds: 30_000 }, 'timeoutSeconds: 30000. Did you mean timeoutSeconds: 30?'],
    // Other clients have this option. Without types, nothing else says that this one does not.
    [{ timeout: 20_000 }, 'timeout: 20000. Did you mean timeoutSeconds: 20?'],
    [{ timeout: 20, timeoutSeconds: 5 }, 'timeout: 20. Did you mean timeoutSeconds: 20?'],
  ])('is printed once for %j, of the client or of a call', async (given, warning) => {
    const store = new AnimalStore({ ...valid, ...given, fetch: Promise.reject });
    for (const options of [given, { ...given }]) {
      await rejection(store.listPets({ ...options, maxRetries: 0 }));
    }
    expect(warnings()).toEqual([`Animal Store got ${warning}`]);
  });

  test('is not printed for a timeout that may be meant in seconds', () => {
    for (const timeoutSeconds of [undefined, 0.5, 30, 900, Infinity]) {
      new AnimalStore({ ...valid, timeoutSeconds });
    }
    expect(warnings()).toBeEmpty();
  });
});

function expectRefusal(options: AnimalStoreOptions, words: string) {
  const make = () => new AnimalStore(options);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(words);
  expect(make).not.toThrow('ask_secret');
}

const NOT_INT64S = [Number.NaN, 1.5, '5', null, 2 ** 53, INT64_MAX + 1n, INT64_MIN - 1n];

const MOST_IN_FLIGHT = BAN_RULES.mostInFlight;

const NOT_URLS = [
  'shop.example/v1',
  'ftp://shop.example/v1',
  'https://shop.example',
  'https://v1',
  'https://ask_secret@shop.example/v1',
  'https://shop.example/v1?key=ask_secret',
  5,
];

test.each([
  ['baseUrl must be an http or https URL that ends in /v1', NOT_URLS],
  ['apiKey must be a key', ['', 'two words', 'line\nbreak', 'schlüssel', null]],
  ['after must be ', NOT_INT64S],
  ['batch must be ', ['', 'a b', 'x'.repeat(201)]],
  ['from must be ', [-1, 1.5, '5']],
  ['concurrency must be ', [0, 201]],
  ['timeoutSeconds must be ', [0, Number.NaN, '5']],
  ['maxRetries must be ', [-1, 1.5, null]],
  // More could lead to a ban.
  [
    `maxConcurrentRequests must be a whole number from 1 to ${MOST_IN_FLIGHT}`,
    [0, MOST_IN_FLIGHT + 1],
  ],
  ['maxRetryWaitSeconds must be ', [-1, '5']],
  ['headers must be ', ['x', { AUTHORIZATION: 'Bearer x' }]],
])('the option %s: others are refused', (rule, values) => {
  const [name = ''] = rule.split(' ');
  for (const value of values) expectRefusal({ ...valid, [name]: value }, rule);
});

const store = new AnimalStore(valid);
test.each<[name: string, call: (value: never) => unknown]>([
  ['petId', (id) => store.getPet(id)],
  ['petId', (id) => store.findPet(id)],
  ['categoryId', (categoryId) => store.createPet({ name: 'Rex', categoryId })],
])('a %s that is not an int64 throws a TypeError', async (name, call) => {
  for (const value of [undefined, ...NOT_INT64S]) {
    const error = await rejection(call(value as never));
    expect(`${error}`).toStartWith(`TypeError: ${name} must be `);
  }
});
