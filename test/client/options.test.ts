import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { BAN_RULES } from '#domain/ban.ts';
import { INT64_MAX, INT64_MIN } from '#formats/int64.ts';
import { AnimalStore, type AnimalStoreOptions } from '../../packages/client/src/animal-store.ts';
import { settingsFrom } from '../../packages/client/src/options.ts';
import { startService } from '../support/service.ts';
import { rejection } from '../support/time.ts';

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

const service = await startService();
const store = new AnimalStore({ baseUrl: service.url, apiKey: service.key.secret });
afterAll(() => service[Symbol.asyncDispose]());

const rex = { name: 'Rex', categoryId: 7 };

const NOT_INT64S = [Number.NaN, 1.5, '5', null, 2 ** 53, INT64_MAX + 1n, INT64_MIN - 1n];

test.each<[name: string, call: (value: never) => Promise<unknown>, values: readonly unknown[]]>([
  ['petId', (id) => store.getPet(id), [undefined, ...NOT_INT64S]],
  ['petId', (id) => store.findPet(id), [undefined, ...NOT_INT64S]],
  ['categoryId', (categoryId) => store.createPet({ name: 'Rex', categoryId }), NOT_INT64S],
  ['after', (after) => store.listPets({ after }), NOT_INT64S],
  ['after', (after) => store.pets({ after }).next(), NOT_INT64S],
  [
    'batch',
    async (batch) => store.createPets([rex], { batch }).next(),
    ['', 'a b', 'x'.repeat(201)],
  ],
  ['from', async (from) => store.createPets([rex], { from }).next(), [-1, 1.5, '5']],
  ['concurrency', async (concurrency) => store.createPets([rex], { concurrency }).next(), [0, 201]],
  ['timeoutSeconds', (timeoutSeconds) => store.listPets({ timeoutSeconds }), [0, Number.NaN, '5']],
  ['maxRetries', (maxRetries) => store.createPet(rex, { maxRetries }), [-1, 1.5, null]],
  ['maxRetryWaitSeconds', (wait) => store.getPet(1, { maxRetryWaitSeconds: wait }), [-1, '5']],
  ['headers', (headers) => store.findPet(1, { headers }), ['x', { AUTHORIZATION: 'Bearer x' }]],
])('an invalid %s throws a TypeError, and nothing is sent', async (name, call, values) => {
  for (const value of values) {
    // createPets throws at once.
    const error = (await rejection((async () => call(value as never))())) as TypeError;
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(new RegExp(`^${name} must be `));
  }
  expect(service.observed).toBeEmpty();
});
