import { describe, expect, test } from 'bun:test';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import { neverRespond, refuseConnection, virtualTimeStore } from './virtual-time-store.ts';

describe('a caller that aborts', () => {
  const reason = new Error('the user left the page');

  test('before the call sends nothing', async () => {
    await using service = await startService();
    const { store, sent } = virtualTimeStore(service);
    const signal = AbortSignal.abort(reason);
    expect(await rejection(store.listPets({ signal }))).toBe(reason);
    expect(sent).toBeEmpty();
  });

  test('right after the call sends nothing and spends no quota', async () => {
    await using service = await startService();
    const { secret } = await service.makeKey('enterprise', { perMinute: 6, perDay: 100 });
    const { store, sent, waits } = virtualTimeStore(service, { apiKey: secret });
    await store.listPets();
    for (let i = 0; i < 100; i++) {
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

  test('while the whole client waits gets the reason at once, and the timer is canceled', async () => {
    await using service = await startService();
    const { secret } = await service.makeKey('enterprise', { perMinute: 1, perDay: 100 });
    const { store, sent, waits, time } = virtualTimeStore(service, { apiKey: secret });
    await store.listPets();
    const controller = new AbortController();
    const call = rejection(store.listPets({ signal: controller.signal }));
    await new Promise(setImmediate);
    expect(waits).toMatchObject([{ reason: 'quota' }]);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await time.step()).toBe(false);
    expect(sent).toHaveLength(1);
  });
});
