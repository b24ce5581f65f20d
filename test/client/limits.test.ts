import { describe, expect, test } from 'bun:test';
import { RateLimitError } from '../../src/client/animal-store.ts';
import { rejection } from '../support/rejection.ts';
import { startService, type TestService } from '../support/service.ts';
import { answer, type Fate, neverAnswer, pass, patientStore } from './patient-store.ts';

async function limited(service: TestService, perMinute: number, perDay = 1_000) {
  const { secret } = await service.makeKey('enterprise', { perMinute, perDay });
  return { apiKey: secret };
}

function statuses({ observed }: TestService): number[] {
  return observed.map(({ response }) => response.status);
}

describe('after a 429', () => {
  test('a call waits as long as Retry-After says and up to half a second more', async () => {
    await using service = await startService();
    const key = await limited(service, 1);
    const { store, waits, settled } = patientStore(service, { ...key, pace: false });
    await settled(store.listPets());
    const startMs = service.clock.nowMs;
    await settled(store.listPets());
    expect(statuses(service)).toEqual([200, 429, 200]);
    const refusal = waits[0]?.error as RateLimitError;
    const waitSeconds = refusal.retryAfterSeconds + 0.25;
    expect(waits).toMatchObject([{ reason: 'backoff', waitSeconds }]);
    expect(service.clock.nowMs - startMs).toBe(waitSeconds * 1000);
  });

  test('no other call of the client is sent before that either', async () => {
    await using service = await startService();
    const key = await limited(service, 2);
    const { store, waits, sent, settled } = patientStore(service, { ...key, pace: false });
    await settled(Promise.all([store.listPets(), store.listPets()]));
    const refused = store.listPets();
    while (waits.length === 0) await new Promise(setImmediate);
    const other = store.listPets();
    await new Promise(setImmediate);
    expect(sent).toHaveLength(3);
    expect(waits.map(({ reason }) => reason)).toEqual(['backoff', 'retry-after']);
    await settled(Promise.all([refused, other]));
    expect(statuses(service)).toEqual([200, 200, 429, 200, 200]);
  });

  test('with the day used up, calls throw when it resets, and nothing more is sent', async () => {
    await using service = await startService();
    const key = await limited(service, 60, 1);
    const { store, waits } = patientStore(service, { ...key, pace: false });
    await store.listPets();
    const first = (await rejection(
      store.createPet({ name: 'Rex', categoryId: 1 }),
    )) as RateLimitError;
    expect(first).toBeInstanceOf(RateLimitError);
    expect(first).toMatchObject({
      ...{ code: 'rate_limit_day', status: 429, operation: 'createPet', limit: 1 },
      ...{ resetAt: new Date('2026-11-16T00:00:00Z'), retryAfterSeconds: 12 * 3600 },
    });
    service.clock.advance(3600);
    for (let i = 0; i < 100; i++) {
      expect(await rejection(store.listPets())).toMatchObject({
        ...{ name: 'RateLimitError', code: 'rate_limit_day', operation: 'listPets' },
        ...{ requestId: first.requestId, resetAt: first.resetAt, retryAfterSeconds: 11 * 3600 },
      });
    }
    expect(statuses(service)).toEqual([200, 429]);
    expect(waits).toBeEmpty();
    service.clock.advance(11 * 3600);
    await store.listPets();
  });

  test('a wait of up to maxRetryWaitSeconds is slept', async () => {
    await using service = await startService();
    const key = await limited(service, 60, 1);
    const options = { ...key, pace: false, maxRetryWaitSeconds: 12 * 3600 };
    const { store, settled } = patientStore(service, options);
    await settled(store.listPets());
    await settled(store.listPets());
    expect(service.clock.nowMs).toBeGreaterThanOrEqual(Date.parse('2026-11-16T00:00:00Z'));
    expect(statuses(service)).toEqual([200, 429, 200]);
  });
});

describe('a paced client', () => {
  test('waits for the next minute before it would be refused', async () => {
    await using service = await startService();
    const { store, waits, settled } = patientStore(service, await limited(service, 3));
    await settled(Promise.all(Array.from({ length: 7 }, () => store.listPets())));
    expect(statuses(service)).toEqual(Array(7).fill(200));
    expect(waits.map(({ reason }) => reason)).toEqual(['quota', 'quota']);
  });

  test('sends one request first, and the others once it knows how many may follow', async () => {
    await using service = await startService();
    const answer = Promise.withResolvers<void>();
    const wait: Fate = async (next) => {
      await answer.promise;
      return next();
    };
    const key = await limited(service, 100);
    const { store, sent } = patientStore(service, key, [wait]);
    const calls = Array.from({ length: 5 }, () => store.listPets());
    await new Promise(setImmediate);
    expect(sent).toHaveLength(1);
    answer.resolve();
    await Promise.all(calls);
    expect(sent).toHaveLength(5);
  });

  test('takes a request for spent whose answer it does not hear', async () => {
    await using service = await startService();
    const controller = new AbortController();
    const abortLate: Fate = async (next) => {
      const response = await next();
      controller.abort();
      return response;
    };
    const key = await limited(service, 3);
    const { store, settled } = patientStore(service, key, [pass, abortLate]);
    await settled(store.listPets());
    await rejection(settled(store.listPets({ signal: controller.signal })));
    await settled(Promise.all([store.listPets(), store.listPets()]));
    expect(statuses(service)).toEqual([200, 200, 200, 200]);
  });

  test('counts a request that it gave up until one is answered that left later', async () => {
    await using service = await startService();
    const controller = new AbortController();
    const key = await limited(service, 4);
    const abortTheOther: Fate = async (next) => {
      controller.abort();
      return next();
    };
    const letTheOtherArrive: Fate = async (next) => {
      await next();
      return next();
    };
    const fates = [pass, neverAnswer, abortTheOther, letTheOtherArrive];
    const { store, settled } = patientStore(service, key, fates);
    await store.listPets();
    const givenUp = rejection(store.listPets({ signal: controller.signal }));
    await Promise.all([givenUp, store.listPets()]);
    await settled(Promise.all([store.listPets(), store.listPets()]));
    expect(statuses(service)).toEqual([200, 200, 200, 200, 200]);
  });

  test.each([
    ['a bare 503', answer(503, 'no backend')],
    ['a 503 that says for how long', answer(503, 'no backend', { 'Retry-After': '1' })],
    ['a page', answer(500, '<h1>Oops</h1>')],
  ])('goes on pacing itself when %s of a proxy is what it hears first', async (_, fate) => {
    await using service = await startService();
    const { store, settled } = patientStore(service, await limited(service, 3), [fate]);
    await settled(Promise.allSettled(Array.from({ length: 8 }, () => store.listPets())));
    expect(new Set(statuses(service))).toEqual(new Set([200]));
  });

  test('sends all at once where a proxy takes the headers away from animals', async () => {
    await using service = await startService();
    const bare = answer(200, '[]');
    const { store, sent } = patientStore(service, {}, Array<Fate>(9).fill(bare));
    await store.listPets();
    const calls = Array.from({ length: 8 }, () => store.listPets());
    await new Promise(setImmediate);
    expect(sent).toHaveLength(9);
    await Promise.all(calls);
  });

  test('throws when the day resets, without a request that would be refused', async () => {
    await using service = await startService();
    const { store } = patientStore(service, await limited(service, 60, 1));
    await store.listPets();
    const error = (await rejection(store.listPets())) as RateLimitError;
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      ...{ code: 'rate_limit_day', status: 429, requestId: undefined, limit: 1 },
      ...{ resetAt: new Date('2026-11-16T00:00:00Z'), retryAfterSeconds: 12 * 3600 },
    });
    expect(statuses(service)).toEqual([200]);
  });
});
