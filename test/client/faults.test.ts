import { describe, expect, test } from 'bun:test';
import {
  AnimalStore,
  type AnimalStoreError,
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError,
} from '../../src/client/animal-store.ts';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import {
  answer,
  type Fate,
  loseAnswer,
  neverAnswer,
  patientStore,
  refuseConnection,
} from './patient-store.ts';

const rex = { name: 'Rex', categoryId: 1 };

const gatewayPage = answer(502, '<h1>Bad Gateway</h1>', { 'Content-Type': 'text/html' });

/** Sends the headers of an answer and never its body. */
const neverEnd: Fate = async () => new Response(new ReadableStream({ start() {} }));

describe('a call is tried again', () => {
  test.each([
    ['the connection is refused', refuseConnection],
    ['the answer is lost after the animal was stored', loseAnswer],
    ['a gateway finds no service', gatewayPage],
    ['a gateway waits in vain', answer(504, '')],
    ['the service is overloaded', answer(503, 'busy', { 'Retry-After': '2' })],
    ['no answer comes in time', neverAnswer],
    ['the answer does not end', neverEnd],
  ])('when %s, and one animal is added', async (_, fate) => {
    await using service = await startService();
    const { store, sent, settled } = patientStore(service, {}, [fate, fate]);
    const pet = await settled(store.createPet(rex));
    expect(sent).toHaveLength(3);
    const keys = sent.map(({ headers }) => new Headers(headers).get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
    expect((await store.listPets()).pets).toEqual([pet]);
  });

  test('after waits that grow, and after Retry-After where the service gives one', async () => {
    let failures = 3;
    await using service = await startService({
      replace: {
        pets: {
          listPets: async () => {
            if (failures-- > 0) throw new StoreUnavailableError(new Error('away'));
            return { json: '[]', lastId: undefined };
          },
        } as never,
      },
    });
    const { store, waits, settled } = patientStore(service);
    await settled(store.listPets());
    expect(waits.map(({ waitSeconds }) => waitSeconds)).toEqual([1.25, 1.5, 2]);
    expect(waits[0]?.error).toMatchObject({ code: 'service_unavailable', status: 503 });
  });

  test('maxRetries times, and then throws what happened last', async () => {
    await using service = await startService();
    const fates = [refuseConnection, refuseConnection, gatewayPage];
    const { store, sent, settled } = patientStore(service, { maxRetries: 2 }, fates);
    const error = await rejection(settled(store.listPets()));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status: 502, operation: 'listPets' });
    expect(sent).toHaveLength(3);
  });

  test.each([
    [400, '{"code":"validation_failed","message":"name is required.","status":400}'],
    [401, '{"code":"revoked_api_key","message":"The API key was withdrawn.","status":401}'],
    [500, '{"code":"internal_error","message":"Something went wrong.","status":500}'],
    [418, '{"code":"added_later","message":"Short and stout.","status":418}'],
  ])('but not after %d', async (status, body) => {
    await using service = await startService();
    const { store, sent } = patientStore(service, {}, [answer(status, body)]);
    const error = await rejection(store.createPet(rex));
    expect(error).toMatchObject({ name: 'ApiError', ...JSON.parse(body) });
    expect(sent).toHaveLength(1);
  });
});

describe('without an answer', () => {
  test('a call throws ConnectionError with its cause', async () => {
    await using service = await startService();
    const { store } = patientStore(service, { maxRetries: 0 }, [refuseConnection]);
    const error = (await rejection(store.listPets())) as ConnectionError;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.cause).toEqual(new TypeError('connection refused'));
  });

  test.each([
    ['none', neverAnswer],
    ['half of one', neverEnd],
    ['none, whatever the signal says', () => new Promise<Response>(() => {})],
  ])('a call throws TimeoutError when there is %s after timeoutSeconds', async (_, fate) => {
    await using service = await startService();
    const options = { maxRetries: 0, timeoutSeconds: 7 };
    const { store, sent, settled } = patientStore(service, options, [fate]);
    const startMs = service.clock.nowMs;
    const error = (await rejection(settled(store.listPets()))) as TimeoutError;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.cause).toMatchObject({ name: 'TimeoutError' });
    expect(service.clock.nowMs - startMs).toBe(7_000);
    expect(sent[0]?.signal?.aborted).toBe(true);
  });

  test('one request at a time asks whether the service is back; those behind are told', async () => {
    await using service = await startService();
    const fates = Array<Fate>(100).fill(refuseConnection);
    const options = { pace: false, maxConcurrentRequests: 20 };
    const { store, sent, settled } = patientStore(service, options, fates);
    const calls = Array.from({ length: 200 }, () => rejection(store.listPets()));
    const errors = (await settled(Promise.all(calls))) as AnimalStoreError[];
    expect(errors.every((error) => error instanceof ConnectionError)).toBe(true);
    expect(sent.length).toBeLessThanOrEqual(20 + 10);
    fates.length = 0;
    await settled(Promise.all(Array.from({ length: 20 }, () => store.listPets())));
  });

  test('requests that break off together are one silence, and all of them succeed', async () => {
    await using service = await startService();
    const fates = Array<Fate>(20).fill(loseAnswer);
    const { store, settled } = patientStore(
      service,
      { pace: false, maxConcurrentRequests: 20 },
      fates,
    );
    await settled(Promise.all(Array.from({ length: 40 }, () => store.createPet(rex))));
    expect((await store.listPets({ limit: 100 })).pets).toHaveLength(40);
  });
});

describe('an answer that is none of this interface', () => {
  test.each([
    ['a page of a proxy', answer(200, '<html>Log in</html>')],
    ['no list', answer(200, '{"pets":[]}')],
    ['a list of something else', answer(200, '[{"id":1,"name":"Rex"}]')],
    ['a number that is no int64', answer(200, '[{"id":1.5,"name":"Rex","categoryId":1}]')],
    ['a status of null', answer(200, '[{"id":1,"name":"Rex","categoryId":1,"status":null}]')],
    ['an unknown status', answer(200, '[{"id":1,"name":"Rex","categoryId":1,"status":"lost"}]')],
    ['a success of another operation', answer(201, '[]')],
    ['a redirection', answer(301, '', { Location: 'https://shop.example/v1/pets' })],
    ['an error without code and message', answer(404, '{"error":"not found"}')],
  ])('is %s', async (_, fate) => {
    await using service = await startService();
    const { store, sent } = patientStore(service, {}, [fate]);
    const error = await rejection(store.listPets({ after: 7n }));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(sent).toHaveLength(1);
  });

  test('may say where the next page is: pets throws when it cannot go there, listPets does not', async () => {
    await using service = await startService();
    const body = '[{"id":8,"name":"Rex","categoryId":1}]';
    const page = answer(200, body, { Link: '<?cursor=abc>; rel="next"', 'X-Request-Id': 'seen' });
    const { store } = patientStore(service, {}, [page, page]);
    expect(await store.listPets()).toMatchObject({ pets: [{ id: 8n }], next: undefined });
    const pets = store.pets();
    expect((await pets.next()).value).toMatchObject({ id: 8n });
    const error = await rejection(pets.next());
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status: 200, requestId: 'seen' });
  });

  test('may lack the status of an animal: it is available then', async () => {
    await using service = await startService();
    const bare = answer(200, '[{"id":1,"name":"Rex","categoryId":2,"born":2020}]');
    const { store } = patientStore(service, {}, [bare]);
    const pet = { id: 1n, name: 'Rex', categoryId: 2n, status: 'available' as const };
    expect((await store.listPets()).pets).toEqual([pet]);
  });
});

test('a call that is tried again goes before those that have waited less', async () => {
  await using service = await startService();
  const options = { maxConcurrentRequests: 1 };
  const { store, sent, settled } = patientStore(service, options, [refuseConnection]);
  const calls = [store.createPet(rex), store.listPets(), store.listPets()];
  await settled(Promise.all<unknown>(calls));
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'GET']);
});

test('no redirection is followed', async () => {
  await using service = await startService();
  await using elsewhere = Bun.serve({
    port: 0,
    fetch: ({ url }) => Response.redirect(service.url + new URL(url).pathname.slice(3), 307),
  });
  const baseUrl = `${elsewhere.url.origin}/v1`;
  const store = new AnimalStore({ baseUrl, apiKey: service.key.secret });
  const error = (await rejection(store.createPet(rex))) as UnexpectedAnswerError;
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(error.message).toContain('redirection');
  expect(service.observed).toBeEmpty();
});

test('no more than maxConcurrentRequests are under way at once', async () => {
  await using service = await startService();
  let underway = 0;
  let most = 0;
  const count: Fate = async (next) => {
    most = Math.max(most, ++underway);
    const response = await next();
    underway--;
    return response;
  };
  const options = { maxConcurrentRequests: 7, pace: false };
  const { store, settled } = patientStore(service, options, Array<Fate>(50).fill(count));
  await settled(Promise.all(Array.from({ length: 50 }, () => store.listPets())));
  expect(most).toBe(7);
});
