import { describe, expect, test } from 'bun:test';
import { getEventListeners } from 'node:events';
import { onAbort, VERSION } from '../../packages/client/src/runtime.ts';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import { passThrough, refuseConnection, virtualTimeStore } from './virtual-time-store.ts';

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

describe('an abort signal', () => {
  test('calls all callbacks through one listener', () => {
    const controller = new AbortController();
    const called: number[] = [];
    const unsubscribes = [0, 1, 2].map((name) =>
      onAbort(controller.signal, () => called.push(name)),
    );
    expect(listeners(controller.signal)).toBe(1);
    unsubscribes[1]?.();
    unsubscribes[1]?.();
    controller.abort();
    expect(called).toEqual([0, 2]);
  });

  test('has no listener once every callback is unsubscribed, and accepts new ones', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const unsubscribeFirst = onAbort(controller.signal, () => called.push('first'));
    unsubscribeFirst();
    expect(listeners(controller.signal)).toBe(0);
    onAbort(controller.signal, () => called.push('second'));
    unsubscribeFirst();
    controller.abort();
    expect(called).toEqual(['second']);
  });

  test('can be shared by many calls, and none of them leaks a listener', async () => {
    await using service = await startService();
    const behaviors = [refuseConnection, passThrough, refuseConnection];
    const { store, settled } = virtualTimeStore(service, { maxConcurrentRequests: 4 }, behaviors);
    const { signal } = new AbortController();
    const calls = Array.from({ length: 70 }, () => store.listPets({ signal }));
    expect(listeners(signal)).toBe(1);
    await settled(Promise.all(calls));
    expect(listeners(signal)).toBe(0);
  });

  test('aborts all calls that share it, sent or queued', async () => {
    await using service = await startService();
    const { store, sent } = virtualTimeStore(service, { pace: false, maxConcurrentRequests: 4 });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 70 }, () => rejection(store.listPets({ signal })));
    await new Promise(setImmediate);
    controller.abort('enough');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['enough']));
    expect(sent).toHaveLength(4);
  });
});

test('User-Agent names the client, its version and the runtime, and can be replaced', async () => {
  await using service = await startService();
  const { version } = await Bun.file('packages/client/package.json').json();
  expect(VERSION).toBe(version);
  const { store } = virtualTimeStore(service);
  await store.listPets();
  await store.listPets({ headers: { 'user-agent': 'zoo/1' } });
  const agents = service.observed.map(({ call }) => call.request.headers.get('user-agent'));
  expect(agents).toEqual([`animal-store-client/${version} (bun/${Bun.version})`, 'zoo/1']);
});
