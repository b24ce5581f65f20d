import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { RateLimitError } from '../../packages/client/src/animal-store.ts';
import { startService, type TestService } from '../support/service.ts';
import { rejection } from '../support/time.ts';
import { neverRespond, respond, virtualTimeStore } from './virtual-time-store.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service[Symbol.asyncDispose]());

/** The options of a client with these limits. */
async function limited(perMinute: number, perDay = 1_000) {
  const { secret } = await service.makeKey('enterprise', { perMinute, perDay });
  return { apiKey: secret };
}

function statuses(): number[] {
  return service.observed.map(({ response }) => response.status);
}

describe('after a 429', () => {
  test('all calls wait for Retry-After, and the refused one half a second longer at most', async () => {
    const key = await limited(2);
    const { store, waits, sent, settled } = virtualTimeStore(service, { ...key, pace: false });
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
    const key = await limited(60, 1);
    const { store, waits } = virtualTimeStore(service, { ...key, pace: false });
    await store.listPets();
    const details = { code: 'rate_limit_day', limit: 1 };
    const first = (await rejection(store.getPet(1n))) as RateLimitError;
    expect(first).toBeInstanceOf(RateLimitError);
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
    const { store, settled } = virtualTimeStore(service, await limited(3), behaviors);
    await settled(Promise.allSettled(Array.from({ length: 8 }, () => store.listPets())));
    expect(new Set(statuses())).toEqual(new Set([200]));
  });
});
