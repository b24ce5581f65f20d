import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { StoreUnavailableError } from '#domain/error.ts';
import { mintSecret } from '#domain/key-secret.ts';
import { SignIn } from '#operator/sign-in.ts';
import { platform } from '#platform.ts';
import { HttpConnection } from '../faults/http-connection.ts';
import { messageOf } from '../stores/databases.ts';
import { head, rawHttp } from '../support/http.ts';
import { Clock } from '../support/time.ts';
import { startConsole, type TestConsole, TOKEN } from './test-console.ts';

/** A token that no store knows. */
const UNKNOWN = mintSecret(platform.randomBytes, 'operator');

let operator: TestConsole;

beforeEach(() => {
  operator = startConsole({ allowedHosts: new Set(['console.example']) });
});
afterEach(() => operator[Symbol.asyncDispose]());

function signIn(token: string, headers: Record<string, string> = {}): Promise<Response> {
  return operator.send('/api/session', { method: 'POST', body: { token }, headers });
}

/** Returns the cookie of a new session, as a browser sends it back. */
async function signedIn() {
  const response = await signIn(TOKEN);
  expect(response.status).toBe(204);
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** The status of a request with this cookie. */
const session = async (cookie: string) =>
  (await operator.send('/api/session', { headers: { Cookie: cookie } })).status;

/** The scheme is one for which browsers do not ask for a password. */
async function expectUnauthorized(response: Response, error: string) {
  expect([response.status, await response.json()]).toEqual([401, { error }]);
  const challenge = response.headers.get('www-authenticate');
  expect(challenge).toBe('Bearer realm="animal-store operator"');
}

describe('the session', () => {
  test('is a cookie that scripts cannot read and other sites cannot send', async () => {
    const response = await signIn(TOKEN);
    const [value, ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ');
    expect(value).toMatch(new RegExp(`^animal-store-${operator.port}=[\\w-]{36}$`));
    expect(attributes).toEqual(['Path=/', 'Max-Age=43200', 'HttpOnly', 'SameSite=Strict']);
    expect(await session(value ?? '')).toBe(200);
  });

  test('has a Secure cookie behind a proxy with TLS', async () => {
    for (const proto of ['https', 'https, http']) {
      const response = await signIn(TOKEN, { 'X-Forwarded-Proto': proto });
      expect(response.headers.get('set-cookie')).toEndWith('; Secure');
    }
  });

  test('ends after 12 hours', async () => {
    const cookie = await signedIn();
    operator.clock.advance(12 * 3600 - 1);
    expect(await session(cookie)).toBe(200);
    operator.clock.advance(1);
    expect(await session(cookie)).toBe(401);
  });

  test('ends if many others are opened after it', async () => {
    const cookie = await signedIn();
    for (let i = 0; i <= 200; i++) await signedIn();
    expect(await session(cookie)).toBe(401);
  });

  test('is found among cookies that a page on another port of the host added', async () => {
    const cookie = await signedIn();
    const added = `animal-store-${operator.port}=added`;
    expect(await session(`other=1; ${added}; ${cookie}`)).toBe(200);
    expect(await session(added)).toBe(401);
  });

  test('is ended by signing out, in the browser and in the service', async () => {
    const cookie = await signedIn();
    const other = await signedIn();
    const headers = { Cookie: cookie };
    const response = await operator.send('/api/session', { method: 'DELETE', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toContain(`animal-store-${operator.port}=; `);
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(await session(cookie)).toBe(401);
    expect(await session(other)).toBe(200);
  });
});

describe('without a session', () => {
  test('every path of the API is 401, also one that does not exist', async () => {
    for (const path of ['/api/session', '/api/nothing']) {
      const response = await operator.send(path);
      await expectUnauthorized(response, 'Sign in with your operator token.');
    }
    expect((await operator.call('/api/nothing')).status).toBe(404);
  });

  test('a path that a URL parser turns into that of the session is 401', async () => {
    await using things = startConsole({
      routes: { 'POST /api/things/:name/change': () => new Response('changed') },
    });
    const path = '/api/things/..\\session#/change';
    const headers = ['X-Animal-Store-Console: 1', 'Content-Length: 0', 'Connection: close'];
    const response = await rawHttp(things.url, [head(`POST ${path} HTTP/1.1`, ...headers)]);
    expect(response).toStartWith('HTTP/1.1 401 ');
  });
});

describe('wrong tokens', () => {
  const wrong = async () => (await signIn('wrong-wrong-wrong')).status;

  test('are limited to ten a minute for each address, and then only open sessions continue', async () => {
    const cookie = await signedIn();
    for (let i = 0; i < 10; i++) expect(await wrong()).toBe(401);
    operator.clock.advance(19.999);
    const refused = await signIn(TOKEN);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '41']);
    expect(await refused.json()).toEqual({
      error: 'Too many wrong tokens. Try again in 41 s.',
    });
    expect((await operator.call('/api/session')).status).toBe(429);
    expect(await session(cookie)).toBe(200);
    expect(operator.faults).toEqual(Array(12).fill('wrong tokens from 127.0.0.1'));
    operator.clock.advance(40.001);
    expect((await signIn(TOKEN)).status).toBe(204);
  });

  test.each([
    ['a network of IPv6', '2001:db8::', '2001:db8:0:1::1'],
    ['loopback, seen by a listener on ::', '::ffff:127.0.0.', '192.0.2.1'],
  ])('from all addresses of %s are counted together', async (_, start, other) => {
    const signIn = new SignIn({
      builtIn: { name: 'token', token: TOKEN },
      findOperator: async () => undefined,
      newSession: String,
      port: () => 1,
      now: new Clock().now,
      onSignInFailed: () => {},
    });
    const openFrom = (address: string, token: string) =>
      signIn.open(token, new Request('http://127.0.0.1/'), address);
    // Each of these waits for the store.
    const guesses = Array.from({ length: 10 }, (_, i) =>
      messageOf(openFrom(`${start}${i + 1}`, UNKNOWN)),
    );
    for (const message of await Promise.all(guesses)) expect(message).toContain('is wrong');
    expect(await messageOf(openFrom(`${start}11`, TOKEN))).toContain('Too many');
    await openFrom(other, TOKEN);
  });
});

test('the built-in token works while the store is away, and those in the store then get a 503', async () => {
  const findOperator = () => Promise.reject(new StoreUnavailableError(new Error('away')));
  await using away = startConsole({ findOperator });
  expect((await away.call('/api/session')).status).toBe(200);
  const call = (token: string) =>
    away.send('/api/session', { headers: { Authorization: `Bearer ${token}` } });
  expect((await call(UNKNOWN)).status).toBe(503);
  // A text that is not a token does not wait for the store.
  const error = 'The token is wrong or revoked. Check it and try again.';
  await expectUnauthorized(await call(`${UNKNOWN}x`), error);
});

describe('the Host header', () => {
  const statusFor = async (host: string, path = '/api/session') => {
    const { status } = await operator.call(path, { headers: { Host: host } });
    return status;
  };

  test('may be an IP address, localhost or a name that the operator allowed', async () => {
    for (const host of ['127.0.0.1:1', '[::1]:8081', 'LOCALHOST:80']) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
    expect(await statusFor('console.example:8443', '/metrics')).toBe(200);
    expect(await statusFor('console.example.')).toBe(200);
  });

  test('of any other name is 403, against DNS rebinding', async () => {
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'x@127.0.0.1',
      '127.0.0.1.nip.io',
      'localhost:99999',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 403]);
    }
    expect(await statusFor('evil.example', '/')).toBe(403);
    expect(await statusFor('evil.example', '/metrics')).toBe(403);
    expect(await statusFor('evil.example', '/health/live')).toBe(200);
  });
});

describe('a change', () => {
  const change = (headers: Record<string, string>) =>
    operator.call('/api/session', { method: 'DELETE', headers });

  test('needs a header that a form of another site cannot send, also with a token', async () => {
    const without = await change({ 'X-Animal-Store-Console': '' });
    expect([without.status, await without.json()]).toEqual([
      403,
      { error: 'A change needs the header X-Animal-Store-Console: 1.' },
    ]);
    expect((await change({})).status).toBe(204);
  });

  test('from a page of another origin is 403, and so is a read', async () => {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: `http://127.0.0.1:${operator.port + 1}` },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      expect([headers, (await change(headers)).status]).toEqual([headers, 403]);
      expect((await operator.call('/api/session', { headers })).status).toBe(403);
    }
    expect((await change({ Origin: operator.url, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(
      204,
    );
  });
});

describe('a body', () => {
  const post = (body: string) =>
    fetch(`${operator.url}/api/session`, {
      method: 'POST',
      body,
      headers: { 'X-Animal-Store-Console': '1' },
    });

  test.each([
    ['that is not JSON', '{', 'The body is not valid JSON.'],
    ['without a field', '{}', 'token must be a string.'],
    ['that is not an object', '[]', 'The body must be an object.'],
  ])('%s is 400 with the reason', async (_, body, error) => {
    const response = await post(body);
    expect([response.status, await response.json()]).toEqual([400, { error }]);
  });

  test('that is too large or does not arrive is not logged as a fault', async () => {
    const headers = ['X-Animal-Store-Console: 1', 'Transfer-Encoding: chunked'];
    const start = head('POST /api/session HTTP/1.1', ...headers);
    const large = await rawHttp(operator.url, [start, `4001\r\n${'x'.repeat(0x4001)}\r\n`]);
    expect(large).toStartWith('HTTP/1.1 413 ');
    const incomplete = await HttpConnection.open(operator.url);
    await incomplete.abandon(`${start}1\r\n{\r\n`);
    expect((await operator.call('/api/session')).status).toBe(200);
    expect(operator.faults).toEqual([]);
  });
});

describe('the page', () => {
  test('loads only its own files, and cannot be framed', async () => {
    const { headers } = await operator.send('/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const changed = await operator.send('/', { method: 'POST' });
    expect([changed.status, changed.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
