import { expect, test } from 'bun:test';
import { beginCreation } from '../support/http.ts';
import { expectCode, REX, startInstance, startService } from '../support/service.ts';
import { eventually, succeeds } from '../support/time.ts';

const BODY = JSON.stringify(REX);

/** A service whose lists and creations wait until the test lets them go. */
async function startBusyService(maxRequests: number) {
  const gate = Promise.withResolvers<void>();
  const seen = { waiting: 0, shed: 0 };
  const wait = () => {
    seen.waiting++;
    return gate.promise;
  };
  const service = await startService({
    replace: {
      maxRequests,
      onRequestShed: () => seen.shed++,
      pets: {
        getPet: () => undefined,
        listPets: () => wait().then(() => []),
        createPet: (pet) => wait().then(() => ({ pet: { ...pet, id: 1n }, replayed: false })),
      },
    },
  });
  return { service, seen, finish: () => gate.resolve() };
}

test('a request beyond maxRequests is 503 service_unavailable, before its key is checked or counted', async () => {
  const { service, seen, finish } = await startBusyService(2);
  await using _ = service;
  const { secret } = await service.makeKey('business');
  await service.call('/pets', { key: null });
  const admitted = [1, 2].map(() => service.call('/pets', { key: secret }));
  await eventually(() => seen.waiting === 2);

  // The limits are those that this instance has seen last. Without a cache, it cannot tell whose key it is.
  const ofAddress = '59 of 60';
  const ofAccount = Bun.env['TEST_BACKEND'] === 'uncached' ? ofAddress : '998 of 1000';
  for (const [key, quota] of [
    [secret, ofAccount],
    ['unknown', ofAddress],
    [null, ofAddress],
  ] as const) {
    const response = await service.call('/pets/1', { key });
    await expectCode(response, 'service_unavailable');
    const { headers } = response;
    expect(headers.get('retry-after')).toBe('1');
    const limit = headers.get('x-ratelimit-limit');
    expect(`${headers.get('x-ratelimit-remaining')} of ${limit}`).toBe(quota);
  }
  expect(seen.shed).toBe(3);

  finish();
  await Promise.all(admitted);
  const after = await service.call('/pets', { key: secret });
  expect(after.headers.get('x-ratelimit-remaining')).toBe('997');
});

test('a creation counts as in progress only once its body has arrived', async () => {
  const { service, seen, finish } = await startBusyService(1);
  await using _ = service;
  const status = async () => (await service.call('/pets/1')).status;
  const creation = await beginCreation(service.url, service.key.secret, BODY);
  // With PostgreSQL or Redis, the creation counts as in progress while its key is being checked.
  await eventually(async () => (await status()) === 404);
  creation.finish();
  await eventually(() => seen.waiting === 1);
  expect(await status()).toBe(503);
  finish();
  await eventually(() => creation.response().includes('201 Created'));
  expect(await status()).toBe(404);
});

test('no request counts as in progress after it has ended, however it ends', async () => {
  await using service = await startService({ replace: { maxRequests: 1 } });
  const { secret } = await service.makeKey('enterprise', { perMinute: 1, perDay: 1 });
  for (let round = 0; round < 2; round++) {
    for (const [status, path, options] of [
      [401, '/pets', { key: null }],
      [405, '/pets/1', { method: 'DELETE' }],
      [204, '/pets', { method: 'OPTIONS' }],
      [round === 0 ? 200 : 429, '/pets', { key: secret }],
    ] as const) {
      expect((await service.call(path, options)).status).toBe(status);
    }
    expect((await service.post('{')).status).toBe(400);
    const creation = await beginCreation(service.url, service.key.secret, BODY);
    creation.disconnect();
    const ended = service.observed.length + 1;
    await eventually(() => service.observed.length === ended);
  }
  expect((await service.post(REX)).status).toBe(201);
});

test('a stop refuses new connections, and waits for a request in flight', async () => {
  await using service = await startService();
  const server = startInstance(service, service.clock, {});
  const creation = await beginCreation(`${server.localUrl}/v1`, service.key.secret, BODY);
  const stopped = server.stop(60);
  await eventually(async () => !(await succeeds(fetch(server.localUrl))));
  creation.finish();
  await stopped;
  await eventually(() => creation.response().includes('201 Created'));
});
