import { test } from 'bun:test';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { eventually } from '../support/command.ts';
import { CONNECTION_TABLE, heldConnections } from '../support/held-connections.ts';
import { startService } from '../support/service.ts';

// Only Linux has the table of connections.
test.skipIf(!existsSync(CONNECTION_TABLE)).each([
  ['sends one request', 1, false],
  ['keeps sending requests', 50, true],
])('a client that %s and never reads is dropped', async (_, requests, continues) => {
  await using service = await startService({ listen: { idleTimeoutSeconds: 1 } });
  for (let added = 0; added < 100; added++) {
    const name = '🐈'.repeat(255);
    await service.store.pets.createPet({ name, categoryId: 1n, status: 'available' });
  }
  const request =
    'GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n' +
    `Authorization: Bearer ${service.key.secret}\r\n\r\n`;
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  // A dropped connection is the purpose of the test.
  socket.on('error', () => {});
  socket.write(request.repeat(requests));
  await eventually(() => service.observed.length > 0);
  await eventually(() => {
    if (continues && socket.writable) socket.write(request);
    return !heldConnections(Number(port)).has(socket.localPort ?? 0);
  });
  socket.destroy();
});
