import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Serving, serve } from '../support/command.ts';
import { rawHttp } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const resources = new AsyncDisposableStack();
const folder = resources.use(temporaryFolder());
const fileOf = (name: string) => join(folder.path, `${name}.db`);

let staging: Serving;
let production: Serving;
beforeAll(async () => {
  const start = async (name: string, settings = {}) =>
    resources.use(await serve({ DATABASE_URL: `sqlite:${fileOf(name)}`, ...settings }));
  [staging, production] = await Promise.all([
    start('staging', { STAGING: 'on' }),
    start('production'),
  ]);
});
afterAll(() => resources.disposeAsync());

/** The whole response, without the parts that differ between any two requests. */
async function send({ started }: Serving, start: string, lines: readonly string[]) {
  const head = [`${start} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${started.demoKey}`];
  const words = [...head, ...lines, 'Connection: close'].join('\r\n');
  const response = await rawHttp(started.api, [`${words}\r\n\r\n`]);
  return response.replaceAll(/\r\n(?:X-Request-Id|Date|X-RateLimit-\w+): .*(?=\r\n)/g, '');
}

const REQUESTS: readonly (readonly [string, ...string[]])[] = [
  ['GET /v1/pets'],
  ['HEAD /v1/pets'],
  ['GET /v1/pets/1'],
  ['OPTIONS /v1/pets', 'Access-Control-Request-Method: GET'],
  ['POST /v1/pets', 'Content-Type: application/json', 'Content-Length: 0'],
  ['GET /v1/unknown'],
  ['GET /v1/pets', 'Authorization: Bearer wrong'],
  ['GET /docs'],
  ['GET /openapi.json'],
  ['GET /unknown'],
];
const TEST_TIMES = ['2031-01-01T00:00:00Z', 'now', 'not a time'];

describe('with STAGING off', () => {
  test.each(REQUESTS)(
    '%s has the same bytes with and without X-Test-Time',
    async (start, ...lines) => {
      const plain = await send(production, start, lines);
      expect(plain).toStartWith('HTTP/1.1 ');
      expect(plain).not.toMatch(/X-Environment|X-Test-Time/i);
      for (const time of TEST_TIMES) {
        expect(await send(production, start, [...lines, `X-Test-Time: ${time}`])).toBe(plain);
      }
    },
  );

  test('limits stay in real time, and requests count for the same account', async () => {
    const get = (headers = {}) =>
      fetch(`${production.started.api}/pets`, {
        headers: { Authorization: `Bearer ${production.started.demoKey}`, ...headers },
      });
    const before = Number((await get()).headers.get('X-RateLimit-Remaining'));
    const { headers } = await get({ 'X-Test-Time': '2031-01-01T00:00:00Z' });
    // The minute may end between the two.
    expect([before - 1, 59]).toContain(Number(headers.get('X-RateLimit-Remaining')));
    const reset = Number(headers.get('X-RateLimit-Reset'));
    expect(reset).toBeLessThanOrEqual(Date.now() / 1000 + 61);
    expect(Math.abs(Date.parse(headers.get('Date') ?? '') - Date.now())).toBeLessThan(600_000);
  });

  test('no clock of an account is stored', async () => {
    await fetch(`${production.started.api}/pets`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${production.started.demoKey}`,
        'Content-Type': 'application/json',
        'X-Test-Time': '2031-01-01T00:00:00Z',
      },
      body: '{"name":"Ada","categoryId":1}',
    }).then(({ status }) => expect(status).toBe(201));
    using file = new Database(fileOf('production'), { readonly: true });
    const clocks = 'SELECT max(clock_put_to), max(clock_offset), max(resets) FROM accounts';
    expect(file.query(clocks).values()).toEqual([[0, 0, 0]]);
  });
});

describe('with STAGING on', () => {
  test.each(REQUESTS)('%s says staging', async (start, ...lines) => {
    expect(await send(staging, start, lines)).toContain('\r\nX-Environment: staging\r\n');
  });

  test('other origins may send X-Test-Time and read X-Environment', async () => {
    const preflight = await send(staging, 'OPTIONS /v1/pets', [
      'Access-Control-Request-Method: GET',
      'Access-Control-Request-Headers: authorization,x-test-time',
    ]);
    expect(preflight).toMatch(/\r\nAccess-Control-Allow-Headers: .*X-Test-Time/);
    const response = await send(staging, 'GET /v1/pets', []);
    expect(response).toMatch(/\r\nAccess-Control-Expose-Headers: .*X-Environment/);
  });

  test('X-Test-Time moves the clock, and a request fails as its key asks', async () => {
    const at = (time: string) => send(staging, 'GET /v1/pets/1', [`X-Test-Time: ${time}`]);
    expect(await at('2030-12-04T00:00:00Z')).toStartWith('HTTP/1.1 404');
    expect(await at('2030-12-05T00:00:00Z')).toStartWith('HTTP/1.1 410');
    expect(await at('now')).toStartWith('HTTP/1.1 404');
    const lines = [
      'GET /v1/pets HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${staging.started.demoKey}~drop`,
      'Connection: close',
    ];
    const lost = rawHttp(staging.started.api, [`${lines.join('\r\n')}\r\n\r\n`]);
    expect(await lost.catch(({ code }) => code)).toBe('ECONNRESET');
  });
});
