import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { AnimalStore } from '../../packages/client/src/animal-store.ts';
import { apiCaller } from '../support/api-caller.ts';
import { beginCreation } from '../support/begin-creation.ts';
import { eventually, makeKey, runJson, type Serving, serve } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { KeepAliveLoad } from '../support/keep-alive-load.ts';
import { amount } from '../support/long.ts';
import { startService } from '../support/service.ts';
import { testFiles } from '../support/test-files.ts';
import { withinOneDay } from '../support/within-one-day.ts';

const REX = '{"name":"Rex","categoryId":1}';

async function remainingToday(service: Serving, secret: string): Promise<number> {
  const response = await apiCaller(service.started.api, secret).get('/pets');
  return Number(response.headers.get('x-ratelimit-remaining'));
}

const newFile = testFiles();

async function newStore(perDay = 1_000) {
  const { path, settings } = newFile();
  const limits = { perMinute: 1_000_000, perDay };
  const { secret } = await makeKey(settings, 'counted', 'enterprise', limits);
  return { path, settings, secret };
}

test(
  'counts of accounts are saved while the service runs, and survive kill -9',
  withinOneDay(async () => {
    const { settings, secret } = await newStore();
    {
      await using service = await serve(settings);
      for (let i = 0; i < 10; i++) await remainingToday(service, secret);
      const usage = () => runJson(settings, 'accounts', 'show', 'counted');
      await eventually(async () => JSON.stringify(await usage()).includes('"day":{"used":10,'));
      service.kill('SIGKILL');
    }
    await using service = await serve(settings);
    expect(await remainingToday(service, secret)).toBe(989);
  }),
);

test('a client that creates pets continues after kill -9, and adds none twice', async () => {
  const { settings, secret: apiKey } = await newStore();
  const samePort = { ...settings, PORT: String(await freePort()) };
  await using killed = await serve(samePort);
  let failures = 0;
  const onFailure = () => failures++;
  const store = new AnimalStore({ baseUrl: killed.started.api, apiKey, hooks: { onFailure } });
  const created = store.createPets(Array(20).fill(JSON.parse(REX)));
  await created.next();
  killed.kill('SIGKILL');
  await killed.exited;
  const rest = Array.fromAsync(created);
  // One of the eight calls has failed more than three times.
  await eventually(() => failures > 24);
  await using _restarted = await serve(samePort);
  await rest;
  expect((await store.listPets({ limit: 100 })).pets).toHaveLength(20);
});

function expectRefused(url: string): Promise<void> {
  return eventually(() =>
    fetch(url).then(
      () => false,
      () => true,
    ),
  );
}

describe('SIGTERM', () => {
  test('finishes requests in flight, refuses new connections and exits with 0', async () => {
    const { settings, secret } = await newStore();
    await using service = await serve(settings);
    const creation = await beginCreation(service.started.api, secret, REX);
    service.kill('SIGTERM');
    await expectRefused(service.started.api);
    expect(service.exitCode()).toBeNull();
    creation.finish();
    expect(await service.exited).toBe(0);
    expect(creation.response()).toContain('HTTP/1.1 201 Created');
  });

  test('leaves no request without a response, if clients go elsewhere when asked to', async () => {
    const { settings, secret } = await newStore(1_000_000);
    const result = { requests: 0, withoutResponse: 0 };
    for (let stop = 0; stop < amount(2, 20); stop++) {
      await using service = await serve({ ...settings, DRAIN_SECONDS: '1' });
      await using load = new KeepAliveLoad(service.started.api, secret, 32);
      await eventually(() => load.requests > 500);
      service.kill('SIGTERM');
      expect(await service.exited).toBe(0);
      await load.end();
      result.requests += load.requests;
      result.withoutResponse += load.withoutResponse;
    }
    expect(result).toEqual({ requests: expect.any(Number), withoutResponse: 0 });
  });

  test('reaches the service through npm start', async () => {
    const { path, settings } = await newStore();
    await using service = await serve(settings, () => {
      return ['npm', 'run', '--silent', 'start', '--', '--json'];
    });
    service.kill('SIGTERM');
    await service.exited;
    await expectRefused(service.started.api);
    // SQLite removes its log when the last connection closes in an orderly stop.
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test('ends the service even if another program locks the usage file', async () => {
    const { path, settings, secret } = await newStore();
    await using service = await serve(settings);
    const other = new Database(`${path}-usage`);
    other.run('BEGIN IMMEDIATE');
    await remainingToday(service, secret);
    service.kill('SIGTERM');
    await service.exited;
    expect(service.stderr()).toContain('could not be saved');
    other.close();
  });

  test('sent again after half a second ends the service at once', async () => {
    const { settings, secret } = await newStore();
    await using service = await serve(settings);
    await beginCreation(service.started.api, secret, '{}');
    service.kill('SIGTERM');
    await expectRefused(service.started.api);
    await eventually(() => {
      service.kill('SIGTERM');
      return service.exitCode() !== null;
    });
    expect(await service.exited).toBe(128 + 15);
  });
});

// Of the listener alone: the process would also end because its time for a stop is over.
test('a stop cuts off a request that never ends and a connection that was never used', async () => {
  const service = await startService();
  await beginCreation(service.url, service.key.secret, '{}');
  const { hostname, port } = new URL(service.url);
  const unused = connect({ host: hostname, port: Number(port) }).resume();
  await new Promise((resolve) => unused.once('connect', resolve));
  const stoppedAtMs = performance.now();
  await service[Symbol.asyncDispose]();
  unused.destroy();
  // Without a cut-off, the idle timeout of 30 seconds would end both.
  expect(performance.now() - stoppedAtMs).toBeLessThan(25_000);
});
