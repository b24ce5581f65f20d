import { afterAll, describe, expect, test } from 'bun:test';
import { OPERATION_NAMES, OPERATIONS, type Operation } from '#contract/operations.ts';
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

type OptionsOf<Name extends Method> = NonNullable<
  Parameters<AnimalStore[Name]> extends [...infer _, (infer Options)?] ? Options : never
>;

/** The options that only this method has. */
type OwnOption<Name extends Method> = Exclude<keyof OptionsOf<Name>, keyof CallOptions>;

/** True if the requests that were sent obey an option. It must be false without the option. */
type IsObeyed = (sent: readonly string[]) => boolean;

type Methods = {
  readonly [Name in Method]: {
    /** Calls the method, and reads an iterable to its end. */
    readonly call: (store: AnimalStore, options: OptionsOf<Name>) => unknown;
    /** Parts of the first request that show the arguments. */
    readonly shows: readonly string[];
    readonly own: Readonly<
      Record<OwnOption<Name>, readonly [value: OptionsOf<Name>[OwnOption<Name>], IsObeyed]>
    >;
  };
};

const NEW_PET = { name: 'Rex', categoryId: INT64_MAX, status: 'sold' } as const;
const NEW_PET_SHOWN = ['POST /pets\n', newPetToJson(NEW_PET)];

/** Every request has the text. */
const all =
  (text: string): IsObeyed =>
  (sent) =>
    sent.length > 0 && sent.every((request) => request.includes(text));

const FILTER = {
  status: ['pending', all('status=pending')],
  after: [7n, (sent: readonly string[]) => sent[0]?.includes('after=7') ?? false],
} as const;

const METHODS: Methods = {
  listPets: {
    call: (store, options) => store.listPets(options),
    shows: ['GET /pets\n'],
    own: { ...FILTER, limit: [3, all('limit=3')] },
  },
  pets: {
    call: (store, options) => Array.fromAsync(store.pets(options)),
    shows: ['GET /pets?limit=100\n'],
    own: { ...FILTER, pageSize: [3, all('limit=3')] },
  },
  createPet: {
    call: (store, options) => store.createPet(NEW_PET, options),
    shows: NEW_PET_SHOWN,
    own: { idempotencyKey: ['order-7', all('idempotency-key: order-7\n')] },
  },
  createPets: {
    call: (store, options) => Array.fromAsync(store.createPets(Array(9).fill(NEW_PET), options)),
    shows: NEW_PET_SHOWN,
    own: {
      batch: ['spring', all('idempotency-key: spring-')],
      from: [5, (sent) => sent.length === 4],
      concurrency: [2, (sent) => !sent.some((request) => request.includes('in flight: 3'))],
    },
  },
  getPet: {
    call: (store, options) => store.getPet(INT64_MAX, options),
    shows: [`GET /pets/${INT64_MAX}\n`],
    own: {},
  },
  findPet: {
    call: (store, options) => store.findPet(INT64_MAX, options),
    shows: [`GET /pets/${INT64_MAX}\n`],
    own: {},
  },
};

/** Every request that a call sends, as text. The service has two pages, and getPet is removed. */
async function sentBy(call: (store: AnimalStore) => unknown): Promise<string[]> {
  const sent: string[] = [];
  let inFlight = 0;
  async function fetch(url: string, { method, headers, body }: RequestInit): Promise<Response> {
    const path = url.slice(service.url.length);
    const lines = [...new Headers(headers)].map(([name, value]) => `${name}: ${value}`);
    sent.push([`${method} ${path}`, ...lines, `in flight: ${++inFlight}`, body].join('\n'));
    await new Promise(setImmediate);
    inFlight--;
    if (path.startsWith('/pets/')) return Response.json(REMOVED, { status: 410 });
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

const REMOVED = { code: 'operation_removed', message: 'It is removed.', status: 410 };

describe.each(Object.keys(METHODS) as Method[])('%s', (name) => {
  const { shows, own } = METHODS[name];
  const call = METHODS[name].call as (store: AnimalStore, options: object) => unknown;

  test('sends its arguments, with every digit', async () => {
    const [first = ''] = await sentBy((store) => call(store, {}));
    expect(shows.filter((part) => !first.includes(part))).toEqual([]);
  });

  test.each(Object.entries(own))('obeys its option %s', async (option, [value, isObeyed]) => {
    expect(isObeyed(await sentBy((store) => call(store, {})))).toBe(false);
    expect(isObeyed(await sentBy((store) => call(store, { [option]: value })))).toBe(true);
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

  test('sends a request whose response was lost again if the contract allows it', async () => {
    const attempts: { operation: keyof typeof OPERATIONS; attempt: number }[] = [];
    const hooks = { onRequest: (event: (typeof attempts)[number]) => attempts.push(event) };
    const { store, settled } = virtualTimeStore(service, { hooks }, [loseResponse]);
    await settled(Promise.resolve(call(store, {}))).catch(() => {});
    const [first] = attempts;
    const operation: Operation = OPERATIONS[first?.operation ?? 'listPets'];
    const isRepeated = attempts.some(({ attempt }) => attempt === 2);
    expect(isRepeated).toBe(operation.repetition !== 'unsafe');
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
