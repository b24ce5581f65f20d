import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { refusal, run, runProcess, serve, serveWithKey } from '../support/command.ts';
import { changeFile, newFile } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

// The last test sends SIGTERM, and then needs the listener.
const service = await serveWithKey({ DRAIN_SECONDS: '600', MAX_CONCURRENT_REQUESTS: '1' });
afterAll(() => service[Symbol.asyncDispose]());

const { port: OPERATOR_PORT } = new URL(service.started.operator);
const health = (option: string) => run({ OPERATOR_PORT }, 'health', option);

const operator = (path: string, method = 'GET') =>
  fetch(`${service.started.operator}${path}`, { method });

describe("the operator's listener", () => {
  test('counts pages, unknown paths and preflights separately from operations', async () => {
    const { api, listening } = service.started;
    await fetch(`${listening}/docs`);
    await fetch(`${listening}/favicon.ico?${'x'.repeat(100)}`);
    const headers = { 'Access-Control-Request-Method': 'POST' };
    await fetch(`${api}/pets`, { method: 'OPTIONS', headers });
    const counted = await (await operator('/metrics')).text();
    for (const line of [
      'operation="page",status="200"} 1',
      'operation="preflight",status="204"} 1',
      'operation="unknown",status="404"} 1',
    ]) {
      expect(counted).toContain(`\nanimal_store_requests_total{${line}\n`);
    }
  });

  test.each(['/health/live', '/health/ready', '/metrics'])(
    '%s is read-only, on loopback by default, never on the public listener, and not guessed or cached',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await operator(path, method);
        expect(status).toBe(200);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('cache-control')).toBe('no-store');
      }
      const changed = await operator(path, 'POST');
      expect([changed.status, changed.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect((await operator(`${path}/x`)).status).toBe(404);
      expect(new URL(service.started.operator).hostname).toBe('127.0.0.1');
      expect((await fetch(new URL(path, service.started.api))).status).toBe(404);
    },
  );

  test('reports requests in flight, requests that were shed, and commits', async () => {
    const { metric, file, add, get } = service;
    // Creations wait for the lock of another program.
    using data = new Database(file);
    data.run('BEGIN IMMEDIATE');
    const creation = add();
    await eventually(async () => (await metric('requests_in_flight')) === 1);
    expect((await get('/pets')).status).toBe(503);
    expect(await metric('requests_shed_total')).toBe(1);
    data.run('ROLLBACK');
    await creation;
    await eventually(async () => (await metric('requests_in_flight')) === 0);
    expect(await metric('creations_per_commit_count')).toBe(1);
  });

  test('is asked by health, which knows no backup yet', async () => {
    const stdout = 'ready\nlast backup: none is known\n';
    expect(await health('--verbose')).toEqual({ exitCode: 0, stdout, stderr: '' });
  });

  test('is found by health on all addresses, without the proxy of the environment', async () => {
    const proxy = 'http://127.0.0.1:1';
    const settings = { OPERATOR_HOST: '0.0.0.0', HTTP_PROXY: proxy, http_proxy: proxy };
    // Bun reads the proxy from the environment of the process.
    const { stdout } = await runProcess({ OPERATOR_PORT, ...settings }, 'health --json');
    expect(JSON.parse(stdout)).toEqual({ status: 'ready' });
  });

  test.each([
    ['--port or PORT', { PORT: new URL(service.started.listening).port }],
    ['OPERATOR_PORT', { OPERATOR_PORT }],
  ])('keeps another service from its port: a start fails, and names %s', async (name, port) => {
    expect(await refusal({ ...newFile().settings, ...port }, 'serve')).toBe(
      `Port ${Object.values(port)} on 127.0.0.1 is in use. Stop the program that uses it, ` +
        `or choose another port with ${name}.\n`,
    );
  });

  test('of a service that is stopping says that it is live but not ready', async () => {
    service.kill('SIGTERM');
    await eventually(async () => (await operator('/health/ready')).status === 503);
    expect((await operator('/health/live')).status).toBe(200);
    expect(await health('--json')).toMatchObject({
      exitCode: 1,
      stdout: '{"status":"not ready"}\n',
    });
    const { headers } = await fetch(`${service.started.api}/pets`);
    expect(headers.get('connection')).toBe('close');
    await eventually(async () => (await service.metric('ready')) === 0);
  });
});

test('counts that cannot be saved are counted', async () => {
  await using broken = await serveWithKey();
  // The limiter then knows the account, and no longer reads its saved counts.
  await broken.get('/pets');
  for (const [path, table] of [
    [`${broken.file}-usage`, 'usage'],
    [broken.file, 'usage_periods'],
  ] as const) {
    changeFile(path, `PRAGMA busy_timeout = 60000; DROP TABLE ${table}`);
  }
  await broken.get('/pets');
  for (const name of ['usage_save_failures', 'history_batches_lost']) {
    await eventually(async () => (await broken.metric(`${name}_total`)) > 0);
  }
});

describe('the log', () => {
  const logged = { ...newFile().settings, LOG_LEVEL: 'info' };

  test('has one line per request at level info, with nothing that the caller wrote', async () => {
    await using logging = await serve({ ...logged, TRUSTED_PROXIES: '1' });
    const { api, demoKey } = logging.started;
    await fetch(`${api}/pets/9?limit=1`, {
      headers: {
        Authorization: `Bearer ${demoKey}`,
        'User-Agent': 'shop/1.0',
        'X-Forwarded-For': '192.0.2.7, 198.51.100.3',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      },
    });
    await eventually(() => logging.stderr().endsWith('\n'));
    expect(JSON.parse(logging.stderr())).toEqual({
      level: 'info',
      time: expect.any(String),
      msg: 'request',
      requestId: expect.any(String),
      method: 'GET',
      operation: 'getPet',
      status: 404,
      code: 'pet_not_found',
      account: 'demo',
      key: 1,
      address: '198.51.100.3',
      durationMs: expect.any(Number),
    });
  });

  test.skipIf(!existsSync('/dev/full'))('does not stop the service on a full disk', async () => {
    await using logging = await serve(logged, (words) => {
      return ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh', ...words];
    });
    expect((await fetch(`${logging.started.api}/pets`)).status).toBe(401);
    expect(await logging.stop()).toBe(0);
  });
});
