import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { hashSecret, mintSecret } from '../../src/domain/key-secret.ts';
import { platform } from '../../src/platform.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ isStaging: true, listen: { idleTimeoutSeconds: 4 } });
});
afterAll(() => service[Symbol.asyncDispose]());

/** A key of an account of a test that simulates a failure, and one that does not. */
async function keysFor(simulation: string) {
  const { accountName, secret } = await service.makeKey('free');
  const simulating = mintSecret(platform.randomBytes, true);
  const { id } = await service.store.accounts.createKey({
    ...{ accountName, label: '', hash: hashSecret(simulating), expiresAtMs: null, simulation },
    nowMs: service.clock.now(),
  });
  return { id, simulating, real: secret };
}

test('x', async () => {
  const { simulating: key, real } = await keysFor('drop-after-commit');
  const t = performance.now();
  await expect(service.post({ name: 'a', categoryId: 1 }, { key, headers: {'Idempotency-Key': 'k'} })).rejects.toThrow();
  console.log(performance.now() - t);
  const r = await service.post({ name: 'a', categoryId: 1 }, { key, headers: {'Idempotency-Key': 'k'} });
  console.log(r.status, r.headers.get('Idempotent-Replayed'));
  const { simulating: d } = await keysFor('drop');
  await expect(service.call('/pets', { key: d })).rejects.toThrow();
  console.log(performance.now() - t, service.observed.map(o => o.response.status));
});
