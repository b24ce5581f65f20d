import { describe, expect, test } from 'bun:test';
import { getEventListeners } from 'node:events';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import {
  neverRespond,
  passThrough,
  refuseConnection,
  virtualTimeStore,
} from './virtual-time-store.ts';

describe('a caller that aborts', () => {
  const reason = new Error('the user left the page');

  test('right after the call sends nothing and spends no quota', async () => {
    await using service = await startService();
    const { secret } = await service.makeKey('enterprise', { perMinute: 6, perDay: 100 });
    const { store, sent, waits } = virtualTimeStore(service, { apiKey: secret });
    await store.listPets();
    for (let i = 0; i < 10; i++) {
      const controller = new AbortController();
      const call = rejection(store.listPets({ signal: controller.signal }));
      controller.abort(reason);
      expect(await call).toBe(reason);
    }
    await Promise.all(Array.from({ length: 5 }, () => store.listPets()));
    expect(sent).toHaveLength(6);
    expect(waits).toBeEmpty();
  });

  test('while a request is in flight gets the reason at once', async () => {
    await using service = await startService();
    const { store, sent } = virtualTimeStore(service, {}, [neverRespond]);
    const controller = new AbortController();
    const call = rejection(store.listPets({ signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(sent[0]?.signal?.aborted).toBe(true);
  });

  test('during a backoff gets the reason at once, and there is no retry', async () => {
    await using service = await startService();
    const { store, sent, waits, time } = virtualTimeStore(service, {}, [refuseConnection]);
    const controller = new AbortController();
    const call = rejection(store.listPets({ signal: controller.signal }));
    while (waits.length === 0) await new Promise(setImmediate);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await time.step()).toBe(false);
    expect(sent).toHaveLength(1);
  });
});

describe('a signal that many calls share', () => {
  test('has one listener, and none once the calls have ended', async () => {
    await using service = await startService();
    const behaviors = [refuseConnection, passThrough, refuseConnection];
    const { store, settled } = virtualTimeStore(service, { maxConcurrentRequests: 4 }, behaviors);
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, () => store.listPets({ signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await settled(Promise.all(calls));
    expect(getEventListeners(signal, 'abort')).toBeEmpty();
  });

  test('aborts all of them, sent or queued', async () => {
    await using service = await startService();
    const { store, sent } = virtualTimeStore(service, { pace: false, maxConcurrentRequests: 4 });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 20 }, () => rejection(store.listPets({ signal })));
    await new Promise(setImmediate);
    controller.abort('enough');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['enough']));
    expect(sent).toHaveLength(4);
  });
});
