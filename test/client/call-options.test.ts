import { describe, expect, test } from 'bun:test';
import { ConnectionError, RateLimitError } from '../../packages/client/src/animal-store.ts';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import { type NetworkBehavior, refuseConnection, virtualTimeStore } from './virtual-time-store.ts';

describe('an option of one call applies to that call only', () => {
  test('maxRetries', async () => {
    await using service = await startService();
    const behaviors = Array<NetworkBehavior>(3).fill(refuseConnection);
    const { store, sent, settled } = virtualTimeStore(service, { maxRetries: 2 }, behaviors);
    const failed = rejection(store.createPet({ name: 'Rex', categoryId: 1 }, { maxRetries: 0 }));
    expect(await settled(failed)).toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(1);
    await settled(store.listPets());
    expect(sent).toHaveLength(4);
  });

  test('maxRetryWaitSeconds, whichever call is first in the queue', async () => {
    await using service = await startService();
    const { secret } = await service.makeKey('enterprise', { perMinute: 60, perDay: 1 });
    for (const pace of [true, false]) {
      const { store, settled } = virtualTimeStore(service, { apiKey: secret, pace });
      const patient = { maxRetryWaitSeconds: 100_000 };
      await settled(store.listPets(patient));
      const [waiting, impatient] = [store.listPets(patient), rejection(store.listPets())];
      expect(await impatient).toBeInstanceOf(RateLimitError);
      expect(await rejection(store.listPets())).toBeInstanceOf(RateLimitError);
      const startMs = service.clock.nowMs;
      await settled(waiting);
      expect(service.clock.nowMs - startMs).toBeGreaterThan(3_600_000);
    }
  });

  test('headers, which replace those of the client and not the API key', async () => {
    await using service = await startService();
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
