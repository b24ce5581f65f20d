import { afterAll, expect, test } from 'bun:test';
import { AnimalStore } from '../../packages/client/src/animal-store.ts';
import { INT64_MAX, INT64_MIN } from '../../src/formats/int64.ts';
import { startService } from '../support/service.ts';
import { rejection } from '../support/time.ts';

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
