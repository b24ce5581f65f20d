import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AnimalStore, ApiError, type Pet } from '../../packages/client/src/animal-store.ts';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { rejection } from '../support/rejection.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let store: AnimalStore;

beforeAll(async () => {
  service = await startService();
  store = new AnimalStore({ baseUrl: service.url, apiKey: service.key.secret });
});
afterAll(() => service[Symbol.asyncDispose]());

const rex = { name: 'Rex', categoryId: 7 };

const NOT_WHOLE = [Number.NaN, Infinity, 1.5, '5', null, {}, true];
const NOT_INT64S = [...NOT_WHOLE, 2 ** 53, -(2 ** 53), INT64_MAX + 1n, INT64_MIN - 1n];

const callOptions: Readonly<Record<string, readonly unknown[]>> = {
  timeoutSeconds: [0, -1, Number.NaN, '5', null],
  maxRetries: [-1, ...NOT_WHOLE],
  maxRetryWaitSeconds: [-1, Number.NaN, '5', null],
  headers: ['x', null, { 'a b': 'c' }, { a: 'b\nc' }, { AUTHORIZATION: 'Bearer x' }],
};

const methods = [
  { call: (options: never) => store.listPets(options), options: { after: NOT_INT64S } },
  { call: (options: never) => store.pets(options).next(), options: { after: NOT_INT64S } },
  { call: (options: never) => store.createPet(rex, options), options: {} },
  {
    call: async (options: never) => store.createPets([rex], options).next(),
    options: { from: [-1, ...NOT_WHOLE], concurrency: [0, 201, ...NOT_WHOLE] },
  },
  { call: (options: never) => store.getPet(1n, options), options: {} },
  { call: (options: never) => store.findPet(1n, options), options: {} },
];

/** Calls with an invalid argument, by the name of the argument. */
const calls = [
  ...methods.flatMap(({ call, options }) =>
    Object.entries({ ...callOptions, ...options } as typeof callOptions).flatMap(([name, values]) =>
      values.map((value) => [name, () => call({ [name]: value } as never)] as const),
    ),
  ),
  ...[undefined, ...NOT_INT64S].flatMap((id) => [
    ['petId', () => store.getPet(id as never)] as const,
    ['petId', () => store.findPet(id as never)] as const,
    ['categoryId', () => store.createPet({ name: 'Rex', categoryId: id as never })] as const,
  ]),
];

test('an argument that the service could not check throws a TypeError, and nothing is sent', async () => {
  for (const [name, call] of calls) {
    const error = (await rejection(call())) as TypeError;
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(new RegExp(`^${name} must be `));
  }
  expect(calls.length).toBeGreaterThan(150);
  expect(service.observed).toBeEmpty();
});

test('the service explains every other invalid argument', async () => {
  const errors = await Promise.all([
    rejection(store.listPets({ limit: 1000 })),
    rejection(store.listPets({ status: 'lost' as never })),
    rejection(store.createPet(rex, { idempotencyKey: 'a b' })),
    rejection(store.createPet({ name: '', categoryId: 7 })),
  ]);
  for (const [index, name] of ['limit', 'status', 'Idempotency-Key', 'name'].entries()) {
    const error = errors[index] as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining(name) });
  }
});

test('the greatest and smallest valid arguments are sent', async () => {
  const added: Pet[] = [];
  for (const name of ['x', '🐕'.repeat(255), ' x ']) {
    added.push(await store.createPet({ name, categoryId: Number.MAX_SAFE_INTEGER }));
  }
  expect(added[0]?.categoryId).toBe(9007199254740991n);
  expect((await store.listPets({ limit: 100, after: INT64_MIN, signal: undefined })).pets).toEqual(
    added,
  );
  expect((await store.listPets({ limit: 1, after: INT64_MAX })).pets).toEqual([]);
});
