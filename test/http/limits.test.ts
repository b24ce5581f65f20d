import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { creationHead } from '../support/http.ts';
import { REX, startService } from '../support/service.ts';
import { eventually } from '../support/time.ts';

function remainingIn(response: Response) {
  return Number(response.headers.get('x-ratelimit-remaining'));
}

test('every request under /v1 counts, except a CORS preflight', async () => {
  await using service = await startService();
  const { secret: key } = await service.makeKey('free');
  const headers = { 'Content-Type': 'application/json' };
  let expected = 60;
  for (const [status, path, options] of [
    [200, '/pets', {}],
    [200, '/pets', { method: 'HEAD' }],
    [201, '/pets', { method: 'POST', body: JSON.stringify(REX), headers }],
    [400, '/pets', { method: 'POST', body: '{', headers }],
    [404, '/nothing', {}],
    [405, '/pets', { method: 'DELETE' }],
    [204, '/pets', { method: 'OPTIONS' }],
  ] as const) {
    const response = await service.call(path, { key, ...options });
    expect(response.status).toBe(status);
    expect(remainingIn(response)).toBe(--expected);
    // It is noon, and the other window has the same requests.
    const both = new RegExp(
      `^"minute";r=${expected};t=\\d\\d?, "day";r=${expected + 940};t=43200$`,
    );
    expect(response.headers.get('ratelimit')).toMatch(both);
  }
  const preflight = { 'Access-Control-Request-Method': 'GET' };
  const ask = () => service.call('/pets', { method: 'OPTIONS', key: null, headers: preflight });
  const unknown = await ask();
  expect(remainingIn(unknown)).toBe(60);
  // This address has sent nothing else yet.
  expect(unknown.headers.has('ratelimit')).toBe(false);
  expect(remainingIn(await service.call('/pets', { key: null }))).toBe(59);
  expect((await ask()).headers.get('ratelimit')).toContain('"minute";r=59;');
});

test('RateLimit-Policy has the limits of the account, also after a response to another one', async () => {
  await using service = await startService();
  for (const perDay of [7, 8]) {
    const { secret } = await service.makeKey('enterprise', { perMinute: 60, perDay });
    const { headers } = await service.call('/pets', { key: secret });
    expect(headers.get('ratelimit-policy')).toContain(`"day";q=${perDay};`);
  }
});

test('the address of a client is known even if it disconnects while the service waits for the store', async () => {
  await using service = await startService();
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify(REX);
  connect(Number(port), hostname)
    .resume()
    .end(creationHead(service.key.secret, body) + body);
  await eventually(() => service.observed.length > 0);
  expect(service.observed[0]?.call.address).toBe('127.0.0.1');
});

test('requests without a valid key get the Free limits by address, and do not limit valid keys', async () => {
  await using service = await startService({ listen: { trustedProxies: 1 } });
  const from = async (address: string, claim: string, key: string | null = null) => {
    const headers = { 'X-Forwarded-For': `${claim}, ${address}` };
    return (await service.call('/pets', { key, headers })).status;
  };
  // The client claims another address in each request, but the proxy appends the real one.
  for (let i = 0; i < 60; i++) expect(await from('203.0.113.1', `10.0.0.${i}`)).toBe(401);
  expect(await from('203.0.113.1', '10.9.9.9')).toBe(429);
  expect(await from('203.0.113.1', '10.9.9.9', service.key.secret)).toBe(200);
  expect(await from('203.0.113.2', '10.0.0.1')).toBe(401);
});
