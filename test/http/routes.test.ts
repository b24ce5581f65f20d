import { beforeEach, describe, expect, test } from 'bun:test';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import { head, rawHttp } from '../support/http.ts';
import { lacks, newCertificate } from '../support/programs.ts';
import { REX, startService, startServiceForAll } from '../support/service.ts';

const service = await startServiceForAll();
await service.post(REX);

/** Sends a request that no client library would send. */
function send(target: string, host = 'Host: x', method = 'GET') {
  return rawHttp(service.url, [
    `${method} ${target} HTTP/1.1\r\n${host}\r\nConnection: close\r\n` +
      `Authorization: Bearer ${service.key.secret}\r\n\r\n`,
  ]);
}

describe('an unknown path', () => {
  test.each([
    '/v1',
    '/v1/Pets',
    '/v1/pets/',
    '/v1/pets/1/toys',
    '/v1//pets',
    '/v1/pets%2F1',
    '/v1/pets#',
    '/v1\\pets',
    '/v1/x/../pets',
    '/v1/%70ets',
  ])('%s is 404 route_not_found', async (target) => {
    expect(await send(target)).toMatch(/^HTTP\/1\.1 404.*"code":"route_not_found"/s);
  });

  test('is 401 without a key', async () => {
    for (const path of ['', '/nothing', '/pets/1/2']) {
      expect((await service.call(path, { key: null, method: 'DELETE' })).status).toBe(401);
    }
  });
});

test.each([
  ['PUT', '/pets', 405, 'GET, HEAD, POST, OPTIONS'],
  ['DELETE', '/pets/1', 405, 'GET, HEAD, OPTIONS'],
  ['OPTIONS', '/pets', 204, 'GET, HEAD, POST, OPTIONS'],
])('%s %s is %d with Allow: %s', async (method, path, status, allow) => {
  const response = await service.call(path, { method });
  expect(response.status).toBe(status);
  expect(response.headers.get('allow')).toBe(allow);
  expect(response.headers.has('content-type')).toBe(status === 405);
});

test.each(['/pets', '/pets/999'])('HEAD %s has the headers of GET and no body', async (path) => {
  const got = await service.call(path);
  const { status, headers } = await service.call(path, { method: 'HEAD' });
  expect(status).toBe(got.status);
  expect(headers.get('content-length')).toBe(got.headers.get('content-length'));
  expect([...headers.keys()].sort()).toEqual([...got.headers.keys()].sort());
  expect(headers.get('date')).toBe(new Date(service.clock.now()).toUTCString());
});

test('a CORS preflight needs no key', async () => {
  const asked = { 'Access-Control-Request-Method': 'POST' };
  const options = { method: 'OPTIONS', key: null, headers: asked };
  const { status, headers } = await service.call('/pets', options);
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-methods')).toContain('POST');
  expect(headers.get('access-control-allow-headers')).toBe(
    'Authorization, Content-Type, Idempotency-Key',
  );
  expect(headers.has('access-control-allow-credentials')).toBe(false);
});

test.each(['/v1x', '/V1/pets'])(
  '%s, outside /v1, is 404, with an Error body and no limit headers',
  async (path) => {
    const response = await fetch(new URL(path, service.url));
    expect(await response.json()).toMatchObject({ code: 'route_not_found', status: 404 });
    expect(response.headers.has('x-ratelimit-limit')).toBe(false);
    expect(response.headers.has('x-request-id')).toBe(true);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('the documentation pages are read-only, with a type that browsers do not guess', async () => {
  for (const [method, status] of [
    ['GET', 200],
    ['OPTIONS', 204],
    ['POST', 405],
  ] as const) {
    const response = await fetch(new URL('/docs', service.url), { method });
    expect(response.status).toBe(status);
    expect(response.headers.has('x-ratelimit-limit')).toBe(false);
    expect(response.headers.has('allow')).toBe(status !== 200);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

describe('the Host header', () => {
  // This begins a new minute for the address that the refused requests count against.
  beforeEach(() => service.clock.advance(60));

  test.each([
    'Host: x\r\nHost: x',
    'Host: ',
    'Host: a@x',
    'Host: x:123456',
    'Host: [::1',
    'Host: %zz',
  ])('%j is 400 with an Error body, as every operation documents', async (host) => {
    const operations = Object.values<Operation>(OPERATIONS);
    for (const { method, path, errors } of operations) {
      const response = await send(`/v1${path}`, host, method);
      expect(response).toContain('{"code":"invalid_parameter","message":"The header Host must be');
      expect(response).toContain('X-RateLimit-Remaining: ');
      expect(errors).toContain('invalid_parameter');
    }
    const page = await send('/docs', host);
    expect(page).toContain('{"code":"invalid_parameter"');
    expect(page).not.toContain('X-RateLimit-Remaining: ');
  });

  test.each(['X.example', '127.0.0.1:8080', 'localhost:', '[2001:DB8::1]:8080', 'my_service'])(
    '%s is accepted',
    async (host) => {
      expect(await send('/v1/pets/1', `Host: ${host}`)).toStartWith('HTTP/1.1 200');
    },
  );
});

test('HTTP/1.0 without a Host is served', async () => {
  const response = await rawHttp(service.url, [
    `GET /v1/pets/1 HTTP/1.0\r\nAuthorization: Bearer ${service.key.secret}\r\n\r\n`,
  ]);
  expect(response).toStartWith('HTTP/1.1 200');
});

test('CONNECT closes the connection', async () => {
  const key = `Authorization: Bearer ${service.key.secret}`;
  const response = await rawHttp(service.url, [head('CONNECT localhost:80 HTTP/1.1', key)]);
  expect(response).toMatch(/^HTTP\/1\.1 40[45]/);
  expect(response).toContain('\r\nConnection: close\r\n');
});

test('Location and Link start with PUBLIC_URL', async () => {
  await using proxied = await startService({
    listen: { publicUrl: 'https://pets.example/shop' },
  });
  const created = await proxied.post(REX);
  await proxied.post({ name: 'Tom', categoryId: 1 });
  expect(created.headers.get('location')).toBe('https://pets.example/shop/v1/pets/1');
  const page = await proxied.call('/pets?limit=1&status=available');
  expect(page.headers.get('link')).toBe(
    '<https://pets.example/shop/v1/pets?status=available&limit=1&after=1>; rel="next"',
  );
});

test.each(['Close', 'x-option, close', 'keep-alive'])(
  'a response to Connection: %s says if the connection closes',
  async (option) => {
    for (const target of ['/v1/pets', '/docs']) {
      const request = head(`GET ${target} HTTP/1.1`, `Connection: ${option}`);
      const last = head('GET / HTTP/1.1', 'Connection: close');
      const [first = ''] = (await rawHttp(service.url, [request, last])).split('\r\n\r\n');
      const lines = first.match(/^connection: .*$/gim)?.join();
      expect(lines).toBe(option === 'keep-alive' ? undefined : 'Connection: close');
    }
  },
);

test.skipIf(lacks('openssl'))(
  'every response has Strict-Transport-Security if the listener has TLS',
  async () => {
    const certificate = newCertificate();
    const cert = await Bun.file(certificate.certificateFile).text();
    const key = await Bun.file(certificate.keyFile).text();
    await using secure = await startService({ listen: { tls: { cert, key } } });
    const ca = await Bun.file(certificate.authorityFile).text();
    for (const path of ['/v1/pets', '/docs', '/nothing']) {
      const response = await fetch(new URL(path, secure.url), { tls: { ca } });
      expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    }
    const plain = await fetch(service.url);
    expect(plain.headers.has('strict-transport-security')).toBe(false);
  },
);
