import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AnimalStore, type Pet } from '../../packages/client/src/animal-store.ts';
import { checkArgument } from '../../packages/client/src/arguments.ts';
import { PAGE_SIZE } from '../../src/contract/parameters.ts';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { newPetSchema, PET_STATUSES } from '../../src/domain/pet.ts';
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
const NOT_PAGE_SIZES = [...NOT_WHOLE, 0, -1, PAGE_SIZE.maximum + 1, 5n];
const NOT_INT64S = [...NOT_WHOLE, 2 ** 53, -(2 ** 53), INT64_MAX + 1n, INT64_MIN - 1n];
const NOT_STATUSES = ['lost', 'Sold', '', null, 1, ['sold']];
const NOT_NAMES = [undefined, null, 5, '', ' \u3000', 'a\nb', '\u0085', 'a\ud800', 'a'.repeat(256)];

const callOptions: Readonly<Record<string, readonly unknown[]>> = {
  signal: [null, {}, 'abort', AbortSignal, new AbortController()],
  timeoutSeconds: [0, -1, Number.NaN, '5', null],
  maxRetries: [-1, ...NOT_WHOLE],
  maxRetryWaitSeconds: [-1, Number.NaN, '5', null],
  headers: ['x', null, { 'a b': 'c' }, { a: 'b\nc' }, { AUTHORIZATION: 'Bearer x' }],
  timeout: [5],
};

const methods = {
  listPets: {
    call: (options: never) => store.listPets(options),
    options: { limit: NOT_PAGE_SIZES, status: NOT_STATUSES, after: NOT_INT64S, pageSize: [5] },
  },
  pets: {
    call: (options: never) => store.pets(options).next(),
    options: { pageSize: NOT_PAGE_SIZES, status: NOT_STATUSES, after: NOT_INT64S, limit: [5] },
  },
  createPet: {
    call: (options: never) => store.createPet(rex, options),
    options: { idempotencyKey: ['', 'a b', 'schlüssel', 'k'.repeat(256), 5, null] },
  },
  createPets: {
    call: async (options: never) => store.createPets([rex], options).next(),
    options: {
      batch: ['', 'a b', 'schlüssel', 'k'.repeat(201), 5, null],
      from: [-1, ...NOT_WHOLE],
      concurrency: [0, 201, ...NOT_WHOLE],
      idempotencyKey: ['x'],
    },
  },
  getPet: { call: (options: never) => store.getPet(1n, options), options: {} },
  findPet: { call: (options: never) => store.findPet(1n, options), options: {} },
};

/** Calls with a senseless argument, by the name of the argument. */
const calls = [
  ...Object.values(methods).flatMap(({ call, options }) =>
    Object.entries({ ...callOptions, ...options } as typeof callOptions).flatMap(([name, values]) =>
      values.map((value) => [name, () => call({ [name]: value } as never)] as const),
    ),
  ),
  ...Object.values(methods).flatMap(({ call }) =>
    [null, 5, 'sold', () => {}].map(
      (options) => ['options', () => call(options as never)] as const,
    ),
  ),
  ...[undefined, ...NOT_INT64S].flatMap((id) => [
    ['petId', () => store.getPet(id as never)] as const,
    ['petId', () => store.findPet(id as never)] as const,
    ['categoryId', () => store.createPet({ name: 'Rex', categoryId: id as never })] as const,
  ]),
  ...NOT_NAMES.map((name) => ['name', () => store.createPet({ ...rex, name } as never)] as const),
  ...NOT_STATUSES.map(
    (status) => ['status', () => store.createPet({ ...rex, status } as never)] as const,
  ),
  ...[undefined, null, 'Rex', 5].map(
    (pet) => ['pet', () => store.createPet(pet as never)] as const,
  ),
  ...[undefined, null, 'Rex', 5, {}].map(
    (pets) => ['pets', async () => store.createPets(pets as never)] as const,
  ),
];

test('every senseless argument throws a TypeError that names it, and nothing is sent', async () => {
  for (const [name, call] of calls) {
    const error = (await rejection(call())) as TypeError;
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(new RegExp(`\\b${name}\\b.* (must be|is not an option)`));
  }
  expect(calls.length).toBeGreaterThan(200);
  expect(service.observed).toBeEmpty();
});

test('the message says what is allowed', async () => {
  const { message } = (await rejection(store.listPets({ limit: 1000 }))) as TypeError;
  expect(message).toBe('limit must be a whole number from 1 to 100.');
  const typo = (await rejection(store.getPet(1, { retries: 1 } as never))) as TypeError;
  expect(typo.message).toContain('"retries" is not an option. The options are signal, timeout');
});

describe('the client and the service agree on', () => {
  type Field = 'name' | 'categoryId' | 'status';

  /** True if both accept the value, or both refuse it. */
  function agree(field: Field, value: unknown): boolean {
    const pet = { name: 'Rex', categoryId: 7n, [field]: value };
    let isAccepted = true;
    try {
      checkArgument(field, value);
    } catch {
      isAccepted = false;
    }
    return newPetSchema.safeParse(pet).success === isAccepted;
  }

  test('every name', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    expect(units.filter((name) => !agree('name', name))).toEqual([]);
    const unusual = fc.constantFrom(
      ' ',
      '\u3000',
      '\u2028',
      '\u009f',
      '\ud800',
      '\udc00',
      '🐕',
      'a',
    );
    const characters = fc.oneof(unusual, fc.string({ unit: 'binary', maxLength: 2 }));
    const names = fc.array(characters, { maxLength: 300, size: 'max' }).map((all) => all.join(''));
    const lengths = fc.integer({ min: 250, max: 260 }).map((length) => '🐕'.repeat(length));
    fc.assert(fc.property(fc.oneof(names, lengths), (name) => agree('name', name)));
  });

  test('every category and status', () => {
    const wide = fc.bigInt({ min: INT64_MIN - 3n, max: INT64_MAX + 3n });
    fc.assert(fc.property(wide, (value) => agree('categoryId', value)));
    const edges = [INT64_MIN, INT64_MIN - 1n, INT64_MAX, INT64_MAX + 1n];
    expect(edges.filter((value) => !agree('categoryId', value))).toEqual([]);
    const statuses = [...PET_STATUSES, ...NOT_STATUSES];
    expect(statuses.filter((value) => !agree('status', value))).toEqual([]);
  });
});

test('the greatest and smallest sensible arguments are sent', async () => {
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
