import { describe, expect, test } from 'bun:test';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import { type Fate, neverAnswer, patientStore, refuseConnection } from './patient-store.ts';

describe('a caller who aborts', () => {
  const reason = new Error('the page was left');

  test('before the call has nothing sent', async () => {
    await using service = await startService();
    const { store, sent } = patientStore(service);
    const signal = AbortSignal.abort(reason);
    expect(await rejection(store.listPets({ signal }))).toBe(reason);
    expect(sent).toBeEmpty();
  });

  test('right after the call has nothing sent, and nothing is taken for spent', async () => {
    await using service = await startService();
    const { secret } = await service.makeKey('enterprise', { perMinute: 6, perDay: 100 });
    const { store, sent, waits } = patientStore(service, { apiKey: secret });
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

  test('again and again is taken for a silence, and the next answer ends it', async () => {
    await using service = await startService();
    const fates = Array<Fate>(11).fill(neverAnswer);
    const { store, waits, settled } = patientStore(service, { pace: false }, fates);
    for (let i = 0; i < 11; i++) {
      const controller = new AbortController();
      const call = rejection(store.listPets({ signal: controller.signal }));
      await new Promise(setImmediate);
      controller.abort(reason);
      await call;
    }
    expect(waits).toBeEmpty();
    await settled(store.listPets());
    expect(waits).toMatchObject([{ reason: 'silence', waitSeconds: 0.5 }]);
    await settled(Promise.all([store.listPets(), store.listPets()]));
    expect(waits).toHaveLength(1);
  });

  test('while an answer is under way gets the reason at once', async () => {
    await using service = await startService();
    const { store, sent } = patientStore(service, {}, [neverAnswer]);
    const controller = new AbortController();
    const call = rejection(store.listPets({ signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(sent[0]?.signal?.aborted).toBe(true);
  });

  test('while the call backs off gets the reason at once, and it is not sent again', async () => {
    await using service = await startService();
    const { store, sent, waits, time } = patientStore(service, {}, [refuseConnection]);
    const controller = new AbortController();
    const call = rejection(store.listPets({ signal: controller.signal }));
    while (waits.length === 0) await new Promise(setImmediate);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await time.step()).toBe(false);
    expect(sent).toHaveLength(1);
  });

  test('while the whole client waits gets the reason at once, and no timer is left', async () => {
    await using service = await startService();
    const { secret } = await service.makeKey('enterprise', { perMinute: 1, perDay: 100 });
    const { store, sent, waits, time } = patientStore(service, { apiKey: secret });
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
