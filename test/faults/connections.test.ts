import { expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { eventually, makeKey, type Serving, type Settings, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILES = 200;
const CREATION = '{"name":"Rex","categoryId":1}';

function serveWithFewFiles(settings: Settings): Promise<Serving> {
  return serve(settings, (line) => {
    return ['sh', '-c', `ulimit -n ${FILES} && exec "$@"`, 'sh', ...line];
  });
}

interface Connections extends Disposable {
  readonly sockets: readonly Socket[];
}

/** Opens connections and sends `text` on each. */
async function open(url: string, count: number, text = ''): Promise<Connections> {
  const { hostname, port } = new URL(url);
  const connected: Promise<void>[] = [];
  const sockets = Array.from({ length: count }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    connected.push(promise);
    const socket = connect({ host: hostname, port: Number(port) }, resolve);
    socket.on('error', reject);
    socket.write(text);
    return socket.resume();
  });
  await Promise.all(connected);
  return { sockets, [Symbol.dispose]: () => sockets.forEach((socket) => void socket.destroy()) };
}

const isOpen = (socket: Socket): boolean => !socket.closed;

function halfCreation(secret: string): string {
  return (
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${CREATION.length}\r\n\r\n${CREATION.slice(0, 9)}`
  );
}

/** The statuses of requests on new connections: of health checks and of clients. */
async function statuses({ started }: Serving, secret: string): Promise<number[]> {
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const responses = await Promise.all([
    fetch(`${started.operator}/health/live`, { keepalive: false }),
    fetch(`${started.operator}/health/ready`, { keepalive: false }),
    fetch(`${started.api}/pets`, { headers, keepalive: false }),
    fetch(`${started.api}/pets`, { headers, method: 'POST', body: CREATION, keepalive: false }),
  ]);
  return responses.map(({ status }) => status);
}

// Only Linux lets the service see its connections.
test.skipIf(process.platform !== 'linux').each([
  ['send nothing', ''],
  ['send half of a request', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n'],
  ['stay idle after a response', 'GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\n\r\n'],
])(
  'the service responds while twice as many clients as its open files allow %s',
  async (_, text) => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    const { secret } = await makeKey(settings, 'good');
    await using service = await serve(settings, (line) => {
      return ['sh', '-c', `ulimit -n ${FILES} && exec "$@"`, 'sh', ...line];
    });
    {
      using idle = await open(service.started.api, 2 * FILES, text);
      for (let i = 0; i < 3; i++) {
        expect(await statuses(service, secret)).toEqual([200, 200, 200, 201]);
      }
      await eventually(() => idle.sockets.filter(isOpen).length < FILES);
      expect(await statuses(service, secret)).toEqual([200, 200, 200, 201]);
    }
    expect(await statuses(service, secret)).toEqual([200, 200, 200, 201]);
    service.kill('SIGTERM');
    await service.exited;
    const [first = ''] = service.stderr().split('\n');
    expect(JSON.parse(first)).toMatchObject({ msg: 'connections closed' });
  },
);

test.skipIf(process.platform !== 'linux')(
  'health checks get a response while a thousand clients reconnect whenever they are closed',
  async () => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    await using service = await serveWithFewFiles(settings);
    const { hostname, port } = new URL(service.started.api);
    const sockets = new Set<Socket>();
    let isOver = false;
    const reconnect = () => {
      if (isOver) return;
      const socket = connect({ host: hostname, port: Number(port) });
      sockets.add(socket);
      // A connection that was reset is opened again, too.
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        setTimeout(reconnect, 5);
      });
      socket.resume();
    };
    for (let i = 0; i < 5 * FILES; i++) reconnect();
    await eventually(() => service.stderr().includes('connections closed'));
    for (let i = 0; i < 10; i++) {
      const health = await fetch(`${service.started.operator}/health/ready`, { keepalive: false });
      expect(health.status).toBe(200);
    }
    isOver = true;
    for (const socket of sockets) socket.destroy();
  },
);

test.skipIf(process.platform !== 'linux')(
  'above MAX_CONNECTIONS, those that were silent the longest are closed, but none that waits',
  async () => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    const { secret } = await makeKey(settings, 'good');
    await using service = await serve({ ...settings, MAX_CONNECTIONS: '20' });
    const { api, operator } = service.started;
    using waiting = await open(api, 1, halfCreation(secret));
    const [creation] = waiting.sockets as [Socket];
    await Bun.sleep(50);
    using old = await open(api, 19);
    await Bun.sleep(50);
    using recent = await open(api, 15);
    await eventually(() => old.sockets.filter(isOpen).length === 4);
    expect(recent.sockets.filter(isOpen)).toHaveLength(15);
    const metrics = await (await fetch(`${operator}/metrics`)).text();
    expect(metrics).toContain('\nanimal_store_connections_closed_total 15\n');

    const response = new Promise((resolve) => creation.once('data', (data) => resolve(`${data}`)));
    creation.write(CREATION.slice(9));
    expect(await response).toStartWith('HTTP/1.1 201 Created');
  },
);
