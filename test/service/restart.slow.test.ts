import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { HttpConnection } from '../faults/http-connection.ts';
import { serveWithKey } from '../support/command.ts';
import { beginCreation, creationHead, head } from '../support/http.ts';
import { REX, startService } from '../support/service.ts';
import { amount, eventually, succeeds } from '../support/time.ts';

const BODY = JSON.stringify(REX);

function expectRefused(url: string) {
  return eventually(async () => !(await succeeds(fetch(url))));
}

describe('SIGTERM', () => {
  test('leaves no request without a response, if clients use another instance when asked to', async () => {
    for (let stop = 0; stop < amount(1, 20); stop++) {
      await using service = await serveWithKey({ DRAIN_SECONDS: '1' });
      const list = head('GET /v1/pets HTTP/1.1', `Authorization: Bearer ${service.secret}`);
      const create = creationHead(service.secret, BODY) + BODY;
      let sent = 0;
      let lost = 0;
      // Some clients send after a pause.
      const sendUntilClosed = async (request: string, pauseMs: number) => {
        await using connection = await HttpConnection.open(service.started.api);
        while (connection.isOpen) {
          sent++;
          await connection.exchange(request).catch(() => lost++);
          await Bun.sleep(pauseMs);
        }
      };
      const clients = Array.from({ length: 32 }, (_, client) =>
        sendUntilClosed(client % 2 === 0 ? list : create, client % 20),
      );
      await eventually(() => sent > 500);
      expect(await service.stop()).toBe(0);
      await Promise.all(clients);
      expect(lost).toBe(0);
    }
  });

  test('ends the service even if another program locks the usage file', async () => {
    await using service = await serveWithKey();
    const other = new Database(`${service.file}-usage`);
    other.run('BEGIN IMMEDIATE');
    await service.get('/pets');
    await service.stop();
    expect(service.stderr()).toContain('could not be saved');
    other.close();
  });

  test('sent again after half a second ends the service at once', async () => {
    await using service = await serveWithKey();
    await beginCreation(service.started.api, service.secret, '{}');
    service.kill('SIGTERM');
    await expectRefused(service.started.api);
    await eventually(() => {
      service.kill('SIGTERM');
      return service.exitCode() !== null;
    });
    expect(await service.exited).toBe(128 + 15);
  });
});

// This tests the listener alone, because the process would also end when its time for a stop is over.
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
