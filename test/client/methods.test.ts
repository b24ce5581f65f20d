import { describe, expect, spyOn, test } from 'bun:test';
import { OPERATION_NAMES, OPERATIONS } from '#contract/operations.ts';
import { type NewPet, newPetToJson } from '#domain/pet.ts';
import { INT64_MAX, INT64_MIN } from '#formats/int64.ts';
import type {
  AnimalStore,
  CallOptions,
  CreateOptions,
  CreatePetsOptions,
  ListPetsOptions,
  PetsOptions,
} from '../../packages/client/src/animal-store.ts';
import { OPERATIONS as CLIENT_OPERATIONS, Sender } from '../../packages/client/src/sender.ts';
import { startServiceForAll } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import { loseResponse, refuseConnection, respond, virtualTimeStore } from './virtual-time.ts';

const service = await startServiceForAll();

/** The methods of the client that send requests. A new one does not compile until it is listed below. */
type Method = {
  [Name in keyof AnimalStore]: AnimalStore[Name] extends (...given: never[]) => unknown
    ? Name
    : never;
}[keyof AnimalStore];

interface Case {
  /** Calls the method with all its arguments, and reads an iterable to its end. */
  readonly call: (store: AnimalStore, options: CallOptions) => unknown;
  /** Parts of the first request that show the arguments. */
  readonly shows: readonly string[];
}

/** The options that only one method has. One without a value does not compile. */
type Own<Options> = Required<Omit<Options, keyof CallOptions>>;

const QUERY = { status: 'sold', after: INT64_MIN } as const;
const LIST: Own<ListPetsOptions> = { ...QUERY, limit: 7 };
const ALL: Own<PetsOptions> = { ...QUERY, pageSize: 7 };
const CREATE: Own<CreateOptions> = { idempotencyKey: 'b-1' };
const CREATE_ALL: Own<CreatePetsOptions> = { batch: 'b', from: 1, concurrency: 1 };
const LIST_SHOWN = [`GET /pets?status=sold&limit=7&after=${INT64_MIN}\n`];
const NEW_PET: Required<NewPet> = { name: 'Rex', categoryId: INT64_MAX, status: 'sold' };
const NEW_PET_SHOWN = ['POST /pets\n', 'idempotency-key: b-1\n', newPetToJson(NEW_PET)];

const METHODS: Readonly<Record<Method, Case>> = {
  listPets: {
    call: (store, options) => store.listPets({ ...LIST, ...options }),
    shows: LIST_SHOWN,
  },
  pets: {
    call: (store, options) => Array.fromAsync(store.pets({ ...ALL, ...options })),
    shows: LIST_SHOWN,
  },
  createPet: {
    call: (store, options) => store.createPet(NEW_PET, { ...CREATE, ...options }),
    shows: NEW_PET_SHOWN,
  },
  createPets: {
    call: (store, options) =>
      Array.fromAsync(store.createPets(Array(3).fill(NEW_PET), { ...CREATE_ALL, ...options })),
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
async function sentBy(
  call: (store: AnimalStore) => unknown,
  onSend: (index: number, signal: AbortSignal) => void = () => {},
): Promise<string[]> {
  const sent: string[] = [];
  async function fetch(url: string, { method, headers, body, signal }: RequestInit) {
    const path = url.slice(service.url.length);
    const lines = [...new Headers(headers)].map(([name, value]) => `${name}: ${value}`);
    sent.push([`${method} ${path}`, ...lines, body].join('\n'));
    onSend(sent.length - 1, signal as AbortSignal);
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

/** Every option of a call except its signal. */
const OPTIONS: Required<Omit<CallOptions, 'signal'>> = {
  headers: { 'X-Trace': '7' },
  timeoutSeconds: 8,
  maxRetries: 9,
  maxRetryWaitSeconds: 10,
};

describe.each(Object.entries(METHODS))('%s', (_, { call, shows }) => {
  test('sends its arguments, with every digit', async () => {
    const [first = '', ...others] = await sentBy((store) => call(store, {}));
    expect(shows.filter((part) => !first.includes(part))).toEqual([]);
    const nextPages = others.filter((request) => request.includes('after=8'));
    for (const page of nextPages) expect(page).toContain('status=sold&limit=7');
  });

  test('passes the options of a call on to each of its requests', async () => {
    using send = spyOn(Sender.prototype, 'send');
    const sent = await sentBy((store) => call(store, OPTIONS));
    const passed = send.mock.calls.map(([{ options }]) => options);
    expect(passed).toMatchObject(sent.map(() => OPTIONS));
    expect(sent.filter((request) => !request.includes('x-trace: 7\n'))).toEqual([]);
    for (const place of sent.keys()) {
      const controller = new AbortController();
      const { signal } = controller;
      let isAborted = false;
      const abort = (index: number, own: AbortSignal) => {
        if (index !== place) return;
        controller.abort();
        isAborted = own.aborted;
      };
      await sentBy((store) => call(store, { signal }), abort);
      expect(isAborted).toBe(true);
    }
  });

  test('refuses an invalid option, and sends nothing', async () => {
    const { store, sent } = virtualTimeStore(service);
    await rejection((async () => call(store, { timeoutSeconds: 0 }))(), TypeError);
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
