import { afterAll, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { ConnectionLimit, possibleConnections } from '../../src/http/connection-limit.ts';
import { ListenerSockets } from '../../src/http/listener-sockets.ts';
import { eventually } from '../support/command.ts';

const MAX = 4;

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') });
afterAll(() => server.stop(true));
const port = Number(server.port);

/** Opens a connection and waits for the response to its first request. */
async function openUsed(): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ host: '127.0.0.1', port }, () => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  });
  socket.once('data', () => resolve()).on('error', () => {});
  await promise;
  return socket;
}

test.skipIf(process.platform !== 'linux')(
  'above the limit, the connections that were silent the longest are closed',
  async () => {
    const early = await Promise.all(Array.from({ length: 3 }, openUsed));
    // The kernel knows the time of a packet to some milliseconds.
    await Bun.sleep(50);
    const late = await Promise.all(Array.from({ length: MAX }, openUsed));
    using sockets = ListenerSockets.open(port);
    if (sockets === undefined) throw new Error('The sockets of the listener cannot be listed');
    expect(sockets.list().connections).toHaveLength(early.length + MAX);
    const closed: number[] = [];
    using _limit = new ConnectionLimit(sockets, MAX, (count) => closed.push(count));
    await eventually(() => early.every((socket) => socket.closed));
    expect(late.filter((socket) => socket.closed)).toEqual([]);
    expect(closed).toEqual([early.length]);
    for (const socket of late) socket.destroy();
    await eventually(() => sockets.list().connections.length === 0);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a listener that ignores new connections serves those that are open',
  async () => {
    const socket = await openUsed();
    using sockets = ListenerSockets.open(port);
    sockets?.ignoreNewConnections();
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.once('data', (data) => resolve(data.toString()));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await promise).toStartWith('HTTP/1.1 200');
    const ignored = connect({ host: '127.0.0.1', port });
    const isConnected = await Promise.race([
      new Promise((connected) => ignored.once('connect', () => connected(true))),
      Bun.sleep(200).then(() => false),
    ]);
    expect(isConnected).toBe(false);
    ignored.destroy();
    socket.destroy();
  },
);

test('some open files are left for everything but connections', () => {
  expect(possibleConnections(10)).toBeGreaterThan(0);
  expect(possibleConnections(10)).toBeGreaterThanOrEqual(possibleConnections(1_000));
});
