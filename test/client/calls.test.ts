import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { getEventListeners } from 'node:events';
import {
  type Hooks,
  RateLimitError,
  type RequestEvent,
} from '../../packages/client/src/animal-store.ts';
import { REX, startService, type TestService } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import {
  abortable,
  limitedStore,
  type NetworkBehavior,
  neverRespond,
  passThrough,
  refuseConnection,
  respond,
  virtualTimeStore,
} from './virtual-time.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe('an option of one call applies to that call only', () => {
  test('maxRetryWaitSeconds, whichever call is first in the queue', async () => {
    for (const pace of [true, false]) {
      const { store, settled } = await limitedStore(service, { perDay: 1 }, { pace });
      const patient = { maxRetryWaitSeconds: 100_000 };
      await settled(store.listPets(patient));
      const [waiting, impatient] = [
        store.listPets(patient),
        rejection(store.listPets(), RateLimitError),
      ];
      await impatient;
      await rejection(store.listPets(), RateLimitError);
      const startMs = service.clock.nowMs;
      await settled(waiting);
      expect(service.clock.nowMs - startMs).toBeGreaterThan(3_600_000);
    }
  });

  test('headers, which replace those of the client and not the API key', async () => {
    const headers = { 'X-Team': 'zoo', 'X-Trace': 'client' };
    const { store, sent } = virtualTimeStore(service, { headers });
    await store.listPets({ headers: new Headers({ 'x-trace': 'call', accept: 'text/html' }) });
    await store.listPets();
    const [first, second] = sent.map((init) => new Headers(init.headers));
    expect(first?.get('x-team')).toBe('zoo');
    expect(first?.get('x-trace')).toBe('call');
    expect(first?.get('accept')).toBe('application/json');
    expect(second?.get('x-trace')).toBe('client');
  });
});

describe('a caller that aborts', () => {
  test('right after the call sends nothing and spends no quota', async () => {
    const { store, sent, waits } = await limitedStore(service, { perMinute: 6 });
    await store.listPets();
    for (let i = 0; i < 10; i++) await abortable((signal) => store.listPets({ signal }))();
    await Promise.all(Array.from({ length: 5 }, () => store.listPets()));
    expect(sent).toHaveLength(6);
    expect(waits).toBeEmpty();
  });

  test('in a hook gets the reason at once, and the next call is sent', async () => {
    const controller = new AbortController();
    const hooks = { onRequest: () => controller.abort('enough') };
    const options = { hooks, maxConcurrentRequests: 1 };
    // Like `fetch`, this rejects at once. The test runner fails a test with an unhandled rejection.
    const rejectAborted = async (_: unknown, signal: AbortSignal) => Promise.reject(signal.reason);
    const { store } = virtualTimeStore(service, options, [rejectAborted]);
    expect(await rejection(store.listPets({ signal: controller.signal }))).toBe('enough');
    expect((await store.listPets()).pets).toBeEmpty();
  });

  test('during a backoff gets the reason at once, and there is no retry', async () => {
    const { store, sent, waits, time } = virtualTimeStore(service, {}, [refuseConnection]);
    const abort = abortable((signal) => store.listPets({ signal }));
    while (waits.length === 0) await new Promise(setImmediate);
    await abort();
    expect(await time.step()).toBe(false);
    expect(sent).toHaveLength(1);
  });

  test('during a wait for the quota leaves no timer', async () => {
    const { store, time } = await limitedStore(service, { perMinute: 1 });
    await store.listPets();
    await abortable((signal) => store.listPets({ signal }))();
    expect(await time.step()).toBe(false);
  });
});

describe('a signal that many calls share', () => {
  test('has one listener, and none once the calls have ended', async () => {
    const behaviors = [refuseConnection, passThrough, refuseConnection];
    const { store, settled } = virtualTimeStore(service, { maxConcurrentRequests: 4 }, behaviors);
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, () => store.listPets({ signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await settled(Promise.all(calls));
    expect(getEventListeners(signal, 'abort')).toBeEmpty();
  });

  test('aborts all of them, sent or queued', async () => {
    const { store, sent } = virtualTimeStore(service, {
      pace: false,
      maxConcurrentRequests: 4,
      maxRetries: 0,
    });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 20 }, () => rejection(store.listPets({ signal })));
    await new Promise(setImmediate);
    controller.abort('enough');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['enough']));
    expect(sent).toHaveLength(4);
  });
});

test('hooks see every request, response, failure and wait, and their errors are ignored', async () => {
  const events: string[] = [];
  const log = (event: string) => {
    events.push(event);
    throw new Error('the log is full');
  };
  const hooks: Hooks = {
    onRequest: ({ operation, attempt, url }) =>
      log(`${operation} ${attempt} ${url.slice(service.url.length)}`),
    onResponse: async ({ status }) => log(`${status}`),
    onFailure: ({ operation, attempt, error }) =>
      log(`${operation} ${attempt} failed: ${error.name}`),
    onWait: ({ reason }) => log(reason),
  };
  const { store, settled } = virtualTimeStore(service, { hooks }, [refuseConnection, passThrough]);
  await settled(store.listPets({ limit: 1, status: 'sold' }));
  expect(events).toEqual([
    'listPets 1 /pets?status=sold&limit=1',
    'listPets 1 failed: ConnectionError',
    'backoff',
    'listPets 2 /pets?status=sold&limit=1',
    '200',
  ]);
});

test('the log has a line for each attempt, and neither the API key nor a body', async () => {
  const lines: string[] = [];
  const logger = {
    info(line: string) {
      lines.push(line);
      throw new Error('the log is full');
    },
  };
  const apiKey = service.key.secret;
  const quoteKey: NetworkBehavior = async () => {
    throw new TypeError(`refused\nAuthorization: Bearer ${apiKey}`);
  };
  const behaviors = [quoteKey, respond(503, 'busy'), passThrough, neverRespond];
  const { store, settled } = virtualTimeStore(service, { logger }, behaviors);
  const page = await settled(store.listPets({ limit: 1 }).withResponse());
  await settled(rejection(store.createPet(REX, { maxRetries: 0 })));
  const { requestId } = page.response;
  expect(lines).toEqual([
    'Animal Store: GET /pets?limit=1, no response (refused Authorization: Bearer …), attempt 1, 0 ms',
    'Animal Store: GET /pets?limit=1, 503, request undefined, attempt 2, 0 ms',
    `Animal Store: GET /pets?limit=1, 200, request ${requestId}, attempt 3, 0 ms`,
    'Animal Store: POST /pets, no response (timeoutSeconds elapsed), attempt 1, 30000 ms',
  ]);
});

test('a hook cannot redirect the API key', async () => {
  const onRequest = (event: RequestEvent) => {
    Object.assign(event, { url: 'https://elsewhere.example/v1/pets' });
  };
  const { store, settled } = virtualTimeStore(service, { hooks: { onRequest } });
  await settled(store.listPets());
  expect(service.observed).toHaveLength(1);
});

function statuses() {
  return service.observed.map(({ response }) => response.status);
}

describe('after a 429', () => {
  test('all calls wait for Retry-After, and the refused one half a second longer at most', async () => {
    const limits = { perMinute: 2 };
    const { store, waits, sent, settled } = await limitedStore(service, limits, { pace: false });
    await settled(Promise.all([store.listPets(), store.listPets()]));
    const refused = store.listPets();
    while (waits.length === 0) await new Promise(setImmediate);
    const other = store.listPets();
    await new Promise(setImmediate);
    expect(sent).toHaveLength(3);
    const refusal = waits[0]?.error as RateLimitError;
    expect(waits).toMatchObject([
      { reason: 'backoff', waitSeconds: refusal.retryAfterSeconds + 0.25 },
      { reason: 'retry-after', waitSeconds: refusal.retryAfterSeconds },
    ]);
    await settled(Promise.all([refused, other]));
    expect(statuses()).toEqual([200, 200, 429, 200, 200]);
  });

  test('calls throw the reset time without a request once the day is used up', async () => {
    const { store, waits } = await limitedStore(service, { perDay: 1 }, { pace: false });
    await store.listPets();
    const details = { code: 'rate_limit_day', limit: 1 };
    const first = await rejection(store.getPet(1n), RateLimitError);
    expect(first.resetAt).toEqual(new Date('2026-11-16T00:00:00Z'));
    expect(first).toMatchObject({ ...details, operation: 'getPet', retryAfterSeconds: 12 * 3600 });
    service.clock.advance(3600);
    const second = { operation: 'listPets', retryAfterSeconds: 11 * 3600 };
    expect(await rejection(store.listPets())).toMatchObject({ ...details, ...second });
    expect(statuses()).toEqual([200, 429]);
    expect(waits).toBeEmpty();
    service.clock.advance(11 * 3600);
    await store.listPets();
  });
});

describe('a paced client', () => {
  test('sends requests together to a service without limit headers', async () => {
    const behaviors = [respond(200, '[]'), neverRespond, neverRespond];
    const { store, sent } = virtualTimeStore(service, {}, behaviors);
    await store.listPets();
    for (let i = 0; i < 2; i++) rejection(store.listPets());
    await new Promise(setImmediate);
    expect(sent).toHaveLength(3);
  });

  test('paces its requests even if a 503 of a proxy comes first', async () => {
    const behaviors = [respond(503, 'no backend')];
    const { store, settled } = await limitedStore(service, { perMinute: 3 }, {}, behaviors);
    await settled(Promise.allSettled(Array.from({ length: 8 }, () => store.listPets())));
    expect(new Set(statuses())).toEqual(new Set([200]));
  });
});
