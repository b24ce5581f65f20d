import { test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { eventually } from '../support/command.ts';
import { startService } from '../support/service.ts';

const TABLE = '/proc/net/tcp';
const ESTABLISHED = '01';

/** True while the service holds its end of the connection. */
function isHeld({ localPort, remotePort }: Socket): boolean {
  const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(TABLE, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(
      ([, local, remote, state]) =>
        local?.endsWith(`:${hex(remotePort)}`) &&
        remote?.endsWith(`:${hex(localPort)}`) &&
        state === ESTABLISHED,
    );
}

// Only Linux has the table of connections.
test.skipIf(!existsSync(TABLE)).each([
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
    return !isHeld(socket);
  });
  socket.destroy();
});
