import { describe, expect, test } from 'bun:test';
import { getEventListeners } from 'node:events';
import { onAbort } from '../../src/client/on-abort.ts';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import { pass, patientStore, refuseConnection } from './patient-store.ts';

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

describe('a signal', () => {
  test('tells all who wait for it, through one listener', () => {
    const controller = new AbortController();
    const told: number[] = [];
    const stops = [0, 1, 2].map((name) => onAbort(controller.signal, () => told.push(name)));
    expect(listeners(controller.signal)).toBe(1);
    stops[1]?.();
    stops[1]?.();
    controller.abort();
    expect(told).toEqual([0, 2]);
  });

  test('is left alone when nobody waits for it any more, and can be waited for again', () => {
    const controller = new AbortController();
    const told: string[] = [];
    const stopFirst = onAbort(controller.signal, () => told.push('first'));
    stopFirst();
    expect(listeners(controller.signal)).toBe(0);
    onAbort(controller.signal, () => told.push('second'));
    stopFirst();
    controller.abort();
    expect(told).toEqual(['second']);
  });

  test('may be shared by many calls, and none of them leaves a listener behind', async () => {
    await using service = await startService();
    const fates = [refuseConnection, pass, refuseConnection];
    const { store, settled } = patientStore(service, { maxConcurrentRequests: 4 }, fates);
    const { signal } = new AbortController();
    const calls = Array.from({ length: 70 }, () => store.listPets({ signal }));
    expect(listeners(signal)).toBe(1);
    await settled(Promise.all(calls));
    expect(listeners(signal)).toBe(0);
  });

  test('ends all calls that share it, sent or not', async () => {
    await using service = await startService();
    const { store, sent } = patientStore(service, { pace: false, maxConcurrentRequests: 4 });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 70 }, () => rejection(store.listPets({ signal })));
    await new Promise(setImmediate);
    controller.abort('enough');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['enough']));
    expect(sent).toHaveLength(4);
  });
});
