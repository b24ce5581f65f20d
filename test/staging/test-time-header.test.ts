import { afterAll, expect, test } from 'bun:test';
import { run } from '../support/command.ts';
import { head, rawHttp } from '../support/http.ts';
import { startStaging } from './test-staging.ts';

const TIME = '2031-01-01T00:00:00Z';

const staging = await startStaging('SQLite');
afterAll(() => staging[Symbol.asyncDispose]());

const { stdout } = await run({ STAGING: 'on' }, 'openapi');
const { parameters } = JSON.parse(stdout).paths['/pets'].get;
/** The pattern of the document, from which tools make values. */
const pattern = new RegExp(
  parameters.find(({ name }: { name: string }) => name === 'X-Test-Time').schema.pattern,
);

/** The status and the date of a response to a request that `fetch` would not send as it is. */
async function send(path: string, lines: readonly string[], method = 'GET') {
  const request = head(`${method} ${path} HTTP/1.1`, ...lines, 'Connection: close');
  const text = await rawHttp(staging.url, [request]);
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  const [, date = ''] = /\r\nDate: (.*)\r\n/.exec(text) ?? [];
  const [, message] = /"message":"([^"]*)"/.exec(text) ?? [];
  return { status: Number(status), dateMs: Date.parse(date), message };
}

async function newAccount() {
  const { key, id, accountName } = await staging.makeKey();
  const authorization = `Authorization: Bearer ${key}`;
  const dateMs = async () => (await send('/v1/pets', [authorization])).dateMs;
  return { id, accountName, authorization, dateMs };
}

test.each([
  ['2030-12-05t02:30:00+02:30', '2030-12-05T00:00:00Z'],
  ['2030-12-05T00:00:07.999999999Z', '2030-12-05T00:00:07Z'],
  ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59Z'],
  ['  2099-12-31T23:59:59Z\t', '2099-12-31T23:59:59Z'],
])('X-Test-Time accepts %s', async (sent, meant) => {
  const { authorization } = await newAccount();
  const { status, dateMs } = await send('/v1/pets', [authorization, `X-Test-Time: ${sent}`]);
  expect({ status, dateMs }).toEqual({ status: 200, dateMs: Date.parse(meant) });
  expect(sent.trim()).toMatch(pattern);
});

test.each([
  '',
  '1922659200',
  '2030-12-05T00:00:00',
  '2030-00-05T00:00:00Z',
  '2030-13-05T00:00:00Z',
  '2030-12-00T00:00:00Z',
  '2030-04-31T00:00:00Z',
  '2030-12-05T24:00:00Z',
  '2030-12-05T00:60:00Z',
  '2030-12-05T00:00:00+24:00',
  '2027-02-29T00:00:00Z',
  '2100-01-01T00:00:00Z',
  // Two headers arrive as a list.
  `${TIME}\r\nX-Test-Time: ${TIME}`,
])('X-Test-Time refuses %j with a message, and leaves the clock alone', async (sent) => {
  const { authorization, dateMs } = await newAccount();
  const { status, message } = await send('/v1/pets', [authorization, `X-Test-Time: ${sent}`]);
  expect({ status, message }).toEqual({
    status: 400,
    message:
      'The header X-Test-Time must be a time from 2000 to 2099 with a time zone, ' +
      'such as 2030-12-05T00:00:00Z, or now.',
  });
  expect(await dateMs()).toBe(staging.clock.now());
  expect(sent).not.toMatch(pattern);
});

test.each([
  ['DELETE', '/v1/pets', 405],
  ['GET', '/v1/unknown', 404],
  ['GET', '/v1/pets?limit=0', 400],
])('X-Test-Time works with %s %s', async (method, path, status) => {
  const { authorization, dateMs } = await newAccount();
  const response = await send(path, [authorization, `X-Test-Time: ${TIME}`], method);
  expect(response.status).toBe(status);
  expect(response.dateMs).toBe(Date.parse(TIME));
  expect(await dateMs()).toBe(Date.parse(TIME));
  // A time of the past is an error on every path.
  const back = await send(path, [authorization, 'X-Test-Time: 2030-01-01T00:00:00Z'], method);
  expect(back.status).toBe(400);
});

test('X-Test-Time is ignored on pages, by preflights and without a key that works', async () => {
  const { authorization, id, accountName, dateMs } = await newAccount();
  const header = `X-Test-Time: ${TIME}`;
  expect((await send('/docs', [authorization, header])).status).toBe(200);
  const preflight = [authorization, header, 'Access-Control-Request-Method: GET'];
  expect((await send('/v1/pets', preflight, 'OPTIONS')).status).toBe(204);
  expect((await send('/v1/pets', ['X-Test-Time: x'])).status).toBe(401);
  expect(await dateMs()).toBe(staging.clock.now());
  await staging.store.accounts.revokeKey(id, staging.clock.now());
  expect((await send('/v1/pets', [authorization, header])).status).toBe(401);
  const { key } = await staging.makeKey({ accountName });
  const { dateMs: after } = await send('/v1/pets', [`Authorization: Bearer ${key}`]);
  expect(after).toBe(staging.clock.now());
});
