import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beginCreation } from '../support/begin-creation.ts';
import { eventually, makeKey, type Serving, serve } from '../support/command.ts';
import { lacks, requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
let service: Serving;

beforeAll(async () => {
  service = await serve(settings);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const operator = (path: string, method = 'GET') =>
  fetch(`${service.started.operator}${path}`, { method });

describe("the operator's listener", () => {
  test('is on loopback by default', () => {
    expect(new URL(service.started.operator).hostname).toBe('127.0.0.1');
  });

  test.each(['/health/live', '/health/ready', '/metrics'])(
    '%s is read-only, and its type is not guessed or cached',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await operator(path, method);
        expect(status).toBe(200);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('cache-control')).toBe('no-store');
      }
      const changed = await operator(path, 'POST');
      expect([changed.status, changed.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    },
  );

  test('counts pages, unknown paths and preflights apart from operations', async () => {
    const { api, listening } = service.started;
    await fetch(`${listening}/docs`);
    await fetch(`${listening}/favicon.ico?${'x'.repeat(100)}`);
    const headers = { 'Access-Control-Request-Method': 'POST' };
    await fetch(`${api}/pets`, { method: 'OPTIONS', headers });
    const metrics = await (await operator('/metrics')).text();
    for (const line of [
      'operation="page",status="200"} 1',
      'operation="preflight",status="204"} 1',
      'operation="unknown",status="404"} 1',
    ]) {
      expect(metrics).toContain(`\nanimal_store_requests_total{${line}\n`);
    }
  });

  test('reports the requests in flight', async () => {
    const inFlight = async () => {
      const metrics = await (await operator('/metrics')).text();
      return Number(/^animal_store_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
    };
    const { api, demoKey } = service.started;
    const send = () =>
      fetch(`${api}/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${demoKey}`, 'Content-Type': 'application/json' },
        body: '{"name":"Rex","categoryId":1}',
      });
    // Creations wait for the lock of another program.
    using data = new Database(join(folder.path, 'store.db'));
    data.run('BEGIN IMMEDIATE');
    const creations = [send(), send()];
    await eventually(async () => (await inFlight()) === 2);
    data.run('ROLLBACK');
    for (const { status } of await Promise.all(creations)) expect([201, 503]).toContain(status);
    expect(await inFlight()).toBe(0);
  });

  test('keeps health and metrics off the public listener', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await fetch(new URL(path, service.started.api))).status).toBe(404);
    }
  });

  test('counts requests by operation and status, refusals by window, and bans, which it logs', async () => {
    const { id, secret } = await makeKey(settings, 'measured', 'enterprise', {
      perMinute: 1000,
      perDay: 2,
    });
    const send = async (path: string, method = 'GET') => {
      const headers = { Authorization: `Bearer ${secret}` };
      const response = await fetch(`${service.started.api}${path}`, { method, headers });
      return response.text();
    };
    await send('/pets');
    await send('/pets/999');
    await send('/pets');
    await eventually(async () => {
      const bodies = await Promise.all(Array.from({ length: 100 }, () => send('/pets')));
      return bodies.some((text) => text.includes('api_key_banned'));
    });
    await eventually(() => service.stderr().endsWith('\n'));
    // Requests are not logged by default.
    const bans = service.stderr().trimEnd().split('\n');
    expect(bans.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'warn',
        account: 'measured',
        key: id,
        bannedUntil: expect.stringMatching(/^20.*Z$/),
      },
    ]);
    const metrics = await (await operator('/metrics')).text();
    for (const line of [
      /^animal_store_requests_total\{operation="listPets",status="200"\} 1$/m,
      /^animal_store_requests_total\{operation="getPet",status="404"\} 1$/m,
      /^animal_store_refusals_total\{by="day"\} \d+$/m,
      /^animal_store_refusals_total\{by="ban"\} \d+$/m,
      /^animal_store_bans_total 1$/m,
      /^animal_store_request_duration_seconds_count\{operation="getPet"\} 1$/m,
    ]) {
      expect(metrics).toMatch(line);
    }
  });
});

test('a service that is stopping is live but not ready', async () => {
  using own = temporaryFolder();
  const ownSettings = { DATABASE_URL: `sqlite:${join(own.path, 'store.db')}` };
  const { secret } = await makeKey(ownSettings, 'stopping');
  await using stopping = await serve(ownSettings);
  await beginCreation(stopping.started.api, secret, '{}');
  stopping.kill('SIGTERM');
  const ready = async () => (await fetch(`${stopping.started.operator}/health/ready`)).status;
  await eventually(async () => (await ready()) === 503);
  expect((await fetch(`${stopping.started.operator}/health/live`)).status).toBe(200);
  const metrics = async () => (await fetch(`${stopping.started.operator}/metrics`)).text();
  await eventually(async () => (await metrics()).includes('\nanimal_store_ready 0\n'));
});

describe('the log', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

  async function serveWith(
    logSettings: Record<string, string>,
    wrap?: (words: string[]) => string[],
  ) {
    const DATABASE_URL = `sqlite:${join(folder.path, `${Bun.randomUUIDv7()}.db`)}`;
    const logging = await serve({ DATABASE_URL, ...logSettings }, wrap);
    const { status } = await fetch(`${logging.started.api}/pets?limit=1`, {
      headers: {
        Authorization: `Bearer ${logging.started.demoKey}`,
        'User-Agent': `shop/1.0 \u009b2J${'x'.repeat(1_000)}`,
        'X-Forwarded-For': '192.0.2.7, 198.51.100.3',
        traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
      },
    });
    expect(status).toBe(200);
    return logging;
  }

  test('has one line per request at level info', async () => {
    await using logging = await serveWith({ LOG_LEVEL: 'info', TRUSTED_PROXIES: '1' });
    await eventually(() => logging.stderr().endsWith('\n'));
    expect(JSON.parse(logging.stderr())).toMatchObject({
      level: 'info',
      msg: 'request',
      requestId: expect.any(String),
      method: 'GET',
      path: '/v1/pets',
      operation: 'listPets',
      status: 200,
      address: '198.51.100.3',
      userAgent: expect.stringMatching(/^shop\/1\.0 .{247}$/),
      traceId: TRACE,
      durationMs: expect.any(Number),
    });
  });

  test.skipIf(lacks('script'))('cannot control a terminal by a user agent', async () => {
    await using logging = await serveWith({ LOG_LEVEL: 'info', TERM: 'xterm' }, (words) => {
      const command = words.map((word) => `'${word}'`).join(' ');
      return [requireProgram('script'), '-qec', command, '/dev/null'];
    });
    await eventually(() => logging.stdout().includes('shop/1.0 \\\\u009b2J'));
    expect(logging.stdout()).not.toContain('\u009b');
  });

  test.skipIf(!existsSync('/dev/full'))(
    'does not fail requests when it cannot be written',
    async () => {
      await using logging = await serveWith({ LOG_LEVEL: 'info' }, (words) => {
        return ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh', ...words];
      });
      const headers = { Authorization: `Bearer ${logging.started.demoKey}` };
      for (let i = 0; i < 5; i++) {
        expect((await fetch(`${logging.started.api}/pets`, { headers })).status).toBe(200);
      }
    },
  );
});
