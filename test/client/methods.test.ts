import { afterAll, describe, expect, test } from 'bun:test';
import { OPERATION_NAMES, OPERATIONS } from '#contract/operations.ts';
import { newPetToJson } from '#domain/pet.ts';
import { INT64_MAX } from '#formats/int64.ts';
import type { AnimalStore, CallOptions } from '../../packages/client/src/animal-store.ts';
import { OPERATIONS as CLIENT_OPERATIONS } from '../../packages/client/src/sender.ts';
import { startService } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import { loseResponse, refuseConnection, respond, virtualTimeStore } from './virtual-time-store.ts';

const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());

/** The methods of the client that send requests. A new one does not compile until it is listed below. */
type Method = {
  [Name in keyof AnimalStore]: AnimalStore[Name] extends (...given: never[]) => unknown
    ? Name
    : never;
}[keyof AnimalStore];

interface Case {
  /** Calls the method, and reads an iterable to its end. */
  readonly call: (store: AnimalStore, options: CallOptions) => unknown;
  /** Parts of the first request that show the arguments. */
  readonly shows: readonly string[];
}

const NEW_PET = { name: 'Rex', categoryId: INT64_MAX, status: 'sold' } as const;
const NEW_PET_SHOWN = ['POST /pets\n', newPetToJson(NEW_PET)];

const METHODS: Readonly<Record<Method, Case>> = {
  listPets: {
    call: (store, options) => store.listPets(options),
    shows: ['GET /pets\n'],
  },
  pets: {
    call: (store, options) => Array.fromAsync(store.pets(options)),
    shows: ['GET /pets?limit=100\n'],
  },
  createPet: {
    call: (store, options) => store.createPet(NEW_PET, options),
    shows: NEW_PET_SHOWN,
  },
  createPets: {
    call: (store, options) => Array.fromAsync(store.createPets(Array(9).fill(NEW_PET), options)),
    shows: NEW_PET_SHOWN,
  },
  getPet: {
    call: (store, options) => store.getPet(INT64_MAX, options),
    shows: [`GET /pets/${INT64_MAX}\n`],
  },
  findPet: {
    call: (store, options) => store.findPet(INT64_MAX, options),
    shows: [`GET /pets/${INT64_MAX}\n`],
  },
};

/** Every request that a call sends, as text. The service has two pages, and getPet is removed. */
async function sentBy(call: (store: AnimalStore) => unknown): Promise<string[]> {
  const sent: string[] = [];
  async function fetch(url: string, { method, headers, body }: RequestInit): Promise<Response> {
    const path = url.slice(service.url.length);
    const lines = [...new Headers(headers)].map(([name, value]) => `${name}: ${value}`);
    sent.push([`${method} ${path}`, ...lines, body].join('\n'));
    if (path.startsWith('/pets/')) {
      const removed = { code: 'operation_removed', message: 'It is removed.', status: 410 };
      return Response.json(removed, { status: 410 });
    }
    const pet = '{"id":8,"name":"Rex","categoryId":1}';
    if (method === 'POST') return new Response(pet, { status: 201 });
    const link = sent.length === 1 ? `<${service.url}/pets?after=8>; rel="next"` : '';
    return new Response(`[${pet}]`, { headers: { Link: link } });
  }
  const { store } = virtualTimeStore(service, { fetch, pace: false });
  // Only the requests matter here. getPet fails with the error.
  await Promise.resolve(call(store)).catch(() => {});
  return sent;
}

describe.each(Object.entries(METHODS))('%s', (_, { call, shows }) => {
  test('sends its arguments, with every digit', async () => {
    const [first = ''] = await sentBy((store) => call(store, {}));
    expect(shows.filter((part) => !first.includes(part))).toEqual([]);
  });

  test('passes the options of a call on to each of its requests', async () => {
    const sent = await sentBy((store) => call(store, { headers: { 'X-Trace': '7' } }));
    expect(sent.filter((request) => !request.includes('x-trace: 7\n'))).toEqual([]);
  });

  test('refuses an invalid option, and sends nothing', async () => {
    const { store, sent } = virtualTimeStore(service);
    const error = await rejection((async () => call(store, { timeoutSeconds: 0 }))());
    expect(error).toBeInstanceOf(TypeError);
    expect(sent).toBeEmpty();
  });
});

test.each(OPERATION_NAMES)('the client knows the same about %s as the contract', (name) => {
  const { method, success, repetition } = OPERATIONS[name];
  const facts = { method, successStatus: success.status, repetition };
  expect(CLIENT_OPERATIONS[name]).toEqual(facts);
});

describe('a call of an operation that is not safe to repeat', () => {
  const usual = CLIENT_OPERATIONS.listPets;
  const listOnce = async (network: Parameters<typeof virtualTimeStore>[2]) => {
    Object.assign(CLIENT_OPERATIONS, { listPets: { ...usual, repetition: 'unsafe' } });
    try {
      const { store, sent, settled } = virtualTimeStore(service, {}, network);
      await settled(store.listPets()).catch(() => {});
      return sent.length;
    } finally {
      Object.assign(CLIENT_OPERATIONS, { listPets: usual });
    }
  };

  test.each([
    ['the response is lost', loseResponse],
    ['a gateway fails', respond(502, '')],
  ])('is not sent again if %s', async (_, behavior) => {
    expect(await listOnce([behavior])).toBe(1);
  });

  test.each([
    ['the connection is refused', refuseConnection],
    ['the limit is used up', respond(429, '', { 'Retry-After': '1' })],
  ])('is sent again if %s, because nothing has happened yet', async (_, behavior) => {
    expect(await listOnce([behavior])).toBe(2);
  });
});
