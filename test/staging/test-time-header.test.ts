import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rawHttp } from '../support/raw-http.ts';
import { startStaging, type TestStaging } from '../support/staging.ts';

let staging: TestStaging;
beforeAll(async () => {
  staging = await startStaging('embedded');
});
afterAll(() => staging[Symbol.asyncDispose]());

/** The status and the date of a response to a request that `fetch` would not send as it is. */
async function send(path: string, lines: readonly string[], method = 'GET') {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', ...lines, 'Connection: close'];
  const text = await rawHttp(staging.urls[0] ?? '', [`${head.join('\r\n')}\r\n\r\n`]);
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  const [, date = ''] = /\r\nDate: (.*)\r\n/.exec(text) ?? [];
  const [, message] = /"message":"([^"]*)"/.exec(text) ?? [];
  return { status: Number(status), dateMs: Date.parse(date), message };
}

async function newAccount() {
  const { key, id, accountName } = await staging.makeKey();
  const authorization = `Authorization: Bearer ${key}`;
  const dateMs = async () => (await send('/v1/pets', [authorization])).dateMs;
  return { key, id, accountName, authorization, dateMs };
}

describe('X-Test-Time accepts RFC 3339', () => {
  test.each([
    ['2030-12-05T00:00:00Z', '2030-12-05T00:00:00Z'],
    ['2030-12-05t00:00:00z', '2030-12-05T00:00:00Z'],
    ['2030-12-05T02:30:00+02:30', '2030-12-05T00:00:00Z'],
    ['2030-12-04T16:00:00-08:00', '2030-12-05T00:00:00Z'],
    ['2030-12-05T00:00:07.999999999Z', '2030-12-05T00:00:07Z'],
    ['2028-02-29T12:00:00.5Z', '2028-02-29T12:00:00Z'],
    ['2099-12-31T23:59:59Z', '2099-12-31T23:59:59Z'],
    ['  2030-12-05T00:00:00Z\t', '2030-12-05T00:00:00Z'],
  ])('%s', async (sent, meant) => {
    const { authorization } = await newAccount();
    const { status, dateMs } = await send('/v1/pets', [authorization, `X-Test-Time: ${sent}`]);
    expect({ status, dateMs }).toEqual({ status: 200, dateMs: Date.parse(meant) });
  });
});

describe('X-Test-Time refuses with a message, and leaves the clock alone', () => {
  test.each([
    '',
    'NOW',
    'tomorrow',
    '1922659200',
    '2030-12-05',
    '2030-12-05T00:00:00',
    '2030-12-05T00:00Z',
    '2030-12-05 00:00:00Z',
    '2030-12-05T24:00:00Z',
    '2030-12-05T00:00:00.Z',
    '2030-12-05T00:00:00+2:00',
    '2030-12-05T00:00:00+24:00',
    '2030-02-31T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2030-06-30T23:59:60Z',
    '2100-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+12030-12-05T00:00:00Z',
    'now, now',
  ])('"%s"', async (sent) => {
    const { authorization, dateMs } = await newAccount();
    const { status, message } = await send('/v1/pets', [authorization, `X-Test-Time: ${sent}`]);
    expect({ status, message }).toEqual({
      status: 400,
      message:
        'The header X-Test-Time must be a time before 2100 with a time zone, ' +
        'such as 2030-12-05T00:00:00Z, or now.',
    });
    expect(await dateMs()).toBe(staging.clock.now());
  });

  test('two headers', async () => {
    const { authorization, dateMs } = await newAccount();
    const header = 'X-Test-Time: 2030-12-05T00:00:00Z';
    expect((await send('/v1/pets', [authorization, header, header])).status).toBe(400);
    expect(await dateMs()).toBe(staging.clock.now());
  });
});

describe('X-Test-Time works', () => {
  const header = 'X-Test-Time: 2031-01-01T00:00:00Z';
  test.each([
    ['HEAD', '/v1/pets', 200],
    ['OPTIONS', '/v1/pets', 204],
    ['DELETE', '/v1/pets', 405],
    ['GET', '/v1/unknown', 404],
    ['GET', '/v1/pets/1', 410],
    ['GET', '/v1/pets?limit=0', 400],
  ])('%s %s', async (method, path, status) => {
    const { authorization, dateMs } = await newAccount();
    const response = await send(path, [authorization, header], method);
    expect(response.status).toBe(status);
    expect(response.dateMs).toBe(Date.parse('2031-01-01T00:00:00Z'));
    expect(await dateMs()).toBe(Date.parse('2031-01-01T00:00:00Z'));
    // A time of the past is an error on every path.
    const back = await send(path, [authorization, 'X-Test-Time: 2030-01-01T00:00:00Z'], method);
    expect(back.status).toBe(400);
  });

  test('on a request that its limits refuse', async () => {
    const { key } = await staging.makeKey({ limits: { perMinute: 1, perDay: 1 } });
    const lines = [`Authorization: Bearer ${key}`];
    await send('/v1/pets', lines);
    expect((await send('/v1/pets', lines)).status).toBe(429);
    expect((await send('/v1/pets', [...lines, header])).status).toBe(200);
    expect((await send('/v1/pets', [...lines, header])).status).toBe(429);
  });
});

describe('X-Test-Time is ignored', () => {
  const header = 'X-Test-Time: 2031-01-01T00:00:00Z';

  test('on pages, by preflights and without a key', async () => {
    const { authorization, dateMs } = await newAccount();
    expect((await send('/docs', [authorization, header])).status).toBe(200);
    const preflight = [authorization, header, 'Access-Control-Request-Method: GET'];
    expect((await send('/v1/pets', preflight, 'OPTIONS')).status).toBe(204);
    expect(await dateMs()).toBe(staging.clock.now());
    expect((await send('/v1/pets', ['X-Test-Time: x'])).status).toBe(401);
  });

  test('with a key that is unknown, revoked or of a suspended account', async () => {
    const { authorization, id, accountName } = await newAccount();
    const unknown = `${authorization.slice(0, -1)}${authorization.endsWith('0') ? 1 : 0}`;
    expect((await send('/v1/pets', [unknown, header])).status).toBe(401);
    await staging.store.accounts.revokeKey(id, staging.clock.now());
    expect((await send('/v1/pets', [authorization, header])).status).toBe(401);
    const { key } = await staging.makeKey({ accountName });
    await staging.store.accounts.suspendAccount(accountName, {
      nowMs: staging.clock.now(),
      reason: '',
    });
    expect((await send('/v1/pets', [`Authorization: Bearer ${key}`, header])).status).toBe(401);
    await staging.store.accounts.resumeAccount(accountName);
    const { dateMs } = await send('/v1/pets', [`Authorization: Bearer ${key}`]);
    expect(dateMs).toBe(staging.clock.now());
  });
});
