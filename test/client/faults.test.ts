import { describe, expect, test } from 'bun:test';
import { problem } from '#contract/errors.ts';
import {
  AnimalStore,
  ConnectionError,
  TimeoutError,
  UnexpectedResponseError,
} from '../../packages/client/src/animal-store.ts';
import { REX, startServiceForAll } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import {
  limitedStore,
  loseResponse,
  type NetworkBehavior,
  neverRespond,
  passThrough,
  refuseConnection,
  respond,
  virtualTimeStore,
} from './virtual-time.ts';

const service = await startServiceForAll();

const gatewayPage = respond(502, '<h1>Bad Gateway</h1>', { 'Content-Type': 'text/html' });

/** Sends the response headers but never the body. */
const neverEnd: NetworkBehavior = async () => new Response(new ReadableStream({ start() {} }));

describe('a call is retried', () => {
  test.each([
    ['the connection is refused', refuseConnection],
    ['the response is lost after the pet was stored', loseResponse],
    ['a gateway cannot reach the service', gatewayPage],
    ['the service is overloaded', respond(503, 'busy', { 'Retry-After': '2' })],
    ['the gateway gives up', respond(504, 'late')],
    ['the request arrives too slowly', respond(408, 'late')],
    ['no response arrives in time', neverRespond],
    ['the response body never ends', neverEnd],
  ])('when %s, and one pet is added', async (_, behavior) => {
    const { store, sent, settled } = virtualTimeStore(service, {}, [behavior, behavior]);
    const pet = await settled(store.createPet(REX));
    expect(sent).toHaveLength(3);
    const keys = sent.map(({ headers }) => new Headers(headers).get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
    expect((await store.listPets({ after: pet.id - 1n })).pets).toEqual([pet]);
  });

  test('with exponential backoff, after Retry-After if the service sends it', async () => {
    const { body } = problem('service_unavailable');
    const unavailable = respond(503, `${body}`, { 'Retry-After': '1' });
    const behaviors = Array(3).fill(unavailable);
    const { store, waits, settled } = virtualTimeStore(service, {}, behaviors);
    await settled(store.listPets());
    expect(waits.map(({ waitSeconds }) => waitSeconds)).toEqual([1.25, 1.5, 2]);
    expect(waits[0]?.error).toMatchObject({ code: 'service_unavailable', status: 503 });
  });

  test('maxRetries times, then throws the last error; refused connections cost neither retry nor quota', async () => {
    const behaviors = [passThrough, gatewayPage, ...Array(9).fill(refuseConnection), gatewayPage];
    const options = { maxRetries: 1 };
    const { store, sent, settled } = await limitedStore(service, { perDay: 4 }, options, behaviors);
    await store.listPets();
    const error = await rejection(settled(store.listPets()), UnexpectedResponseError);
    expect(error).toMatchObject({ status: 502, operation: 'listPets' });
    expect(sent).toHaveLength(12);
  });

  test('but not after another error, even one with an unknown code', async () => {
    const body = { code: 'added_later', message: 'A new rule.', status: 400 };
    const { store, sent } = virtualTimeStore(service, {}, [respond(400, JSON.stringify(body))]);
    const error = await rejection(store.createPet(REX));
    expect(error).toMatchObject({ name: 'ApiError', ...body });
    expect(sent).toHaveLength(1);
  });
});

describe('without a response', () => {
  test('a call throws TimeoutError after timeoutSeconds, even if fetch ignores the signal', async () => {
    const { promise } = Promise.withResolvers<Response>();
    const { store, sent, settled } = virtualTimeStore(service, {}, [() => promise]);
    const startMs = service.clock.nowMs;
    const call = store.listPets({ maxRetries: 0, timeoutSeconds: 7 });
    const error = await rejection(settled(call), TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.cause).toMatchObject({ name: 'TimeoutError' });
    expect(service.clock.nowMs - startMs).toBe(7_000);
    expect(sent[0]?.signal?.aborted).toBe(true);
  });

  test('a refused connection is tried three times, and named with its address and cause', async () => {
    // No program listens on this reserved port. A free one could be taken by another test.
    const baseUrl = 'http://127.0.0.1:1/v1';
    const { store, waits, settled } = virtualTimeStore(service, { baseUrl });
    const error = await settled(rejection(store.listPets(), ConnectionError));
    expect(error.message).toMatch(
      /^listPets got no response from 127\.0\.0\.1:1: (ConnectionRefused|ECONNREFUSED)\.$/,
    );
    expect(waits.map(({ waitSeconds }) => waitSeconds)).toEqual([0.25, 0.5]);
  });
});

// Browsers have one name for all failures.
test.each(['ECONNREFUSED', 'Failed to fetch', 'NetworkError', 'Load failed'])(
  'after its first response, a client retries "%s" for 30 seconds, unless maxRetries is 0',
  async (message) => {
    const refuse = () => Promise.reject(new TypeError(message));
    const behaviors = [passThrough, ...Array(99).fill(refuse)];
    const { store, waits, settled } = virtualTimeStore(service, {}, behaviors);
    await store.listPets();
    await rejection(store.listPets({ maxRetries: 0 }));
    expect(waits).toBeEmpty();
    await settled(rejection(store.listPets({ maxRetries: 1 })));
    expect(waits.map(({ waitSeconds }) => waitSeconds)).toEqual(Array(30).fill(1));
  },
);

describe('a response that does not follow the API', () => {
  test.each([
    ['a proxy page', respond(200, '<html>Log in</html>')],
    ['an unknown status', respond(200, '[{"id":1,"name":"Rex","categoryId":1,"status":"lost"}]')],
    ['the success status of another operation', respond(201, '[]')],
    ['an error without code and message', respond(400, '{"error":"not found"}')],
  ])('throws UnexpectedResponseError: %s', async (_, behavior) => {
    const { store, sent } = virtualTimeStore(service, {}, [behavior]);
    const error = await rejection(store.listPets({ after: 7n }), UnexpectedResponseError);
    expect(error.message).not.toContain('redirect');
    expect(sent).toHaveLength(1);
  });

  test('may link a next page that cannot be followed: pets throws, listPets does not', async () => {
    const body = '[{"id":8,"name":"Rex","categoryId":1}]';
    const page = respond(200, body, { Link: '<?cursor=abc>; rel="next"', 'X-Request-Id': 'seen' });
    const { store } = virtualTimeStore(service, {}, [page, page]);
    expect(await store.listPets()).toMatchObject({ pets: [{ id: 8n }], next: undefined });
    const pets = store.pets();
    expect((await pets.next()).value).toMatchObject({ id: 8n });
    const error = await rejection(pets.next(), UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, requestId: 'seen' });
  });
});

test('redirects are not followed', async () => {
  await using elsewhere = Bun.serve({
    port: 0,
    fetch: ({ url }) => Response.redirect(service.url + new URL(url).pathname.slice(3), 307),
  });
  const baseUrl = `${elsewhere.url.origin}/v1`;
  const before = service.observed.length;
  const store = new AnimalStore({ baseUrl, apiKey: service.key.secret });
  const error = await rejection(store.createPet(REX), UnexpectedResponseError);
  expect(error.message).toContain('redirect');
  expect(service.observed).toHaveLength(before);
});

test('a body without an end is not read beyond 10 MiB, and its connection is closed', async () => {
  let mebibytes = 0;
  let isCanceled = false;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        mebibytes++;
        controller.enqueue(new Uint8Array(2 ** 20));
      },
      cancel: () => {
        isCanceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const { store } = virtualTimeStore(service, {}, [async () => new Response(endless)]);
  await rejection(store.listPets(), UnexpectedResponseError);
  expect({ mebibytes, isCanceled }).toEqual({ mebibytes: 11, isCanceled: true });
});
