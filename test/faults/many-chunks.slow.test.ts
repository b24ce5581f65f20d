import { expect, test } from 'bun:test';
import { exchange } from '../../faults/raw-connection.ts';
import { serveWithKey } from '../support/command.ts';
import { head } from '../support/http.ts';

const CLIENTS = 8;
const BODIES = 300;

test('clients that send bodies in many chunks, and connect again at once, do not shut out others', async () => {
  await using service = await serveWithKey();
  const request = head(
    'POST /v1/pets HTTP/1.1',
    `Authorization: Bearer ${service.secret}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  );
  const parts = [Buffer.from(request + '1\r\n \r\n'.repeat(65_536))];
  let left = BODIES;
  const send = async () => {
    while (left-- > 0) await exchange(service.started.api, { parts, isDone: () => false });
  };
  let served = 0;
  const attack = Promise.all(Array.from({ length: CLIENTS }, send));
  const probe = async () => {
    while (left > 0) {
      expect((await service.get('/pets')).status).toBe(200);
      served++;
    }
  };
  await Promise.all([attack, probe()]);
  // About one request is served in each turn of the event loop. If the bodies kept the loop in one turn, about two
  // requests would be served in total.
  expect(served).toBeGreaterThan(BODIES / CLIENTS / 4);
});
