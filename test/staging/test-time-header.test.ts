import { expect, test } from 'bun:test';
import { TEST_TIME } from '#contract/environment.ts';
import { head, rawHttp } from '../support/http.ts';
import { startStagingForAll } from './test-staging.ts';

const TIME = '2031-01-01T00:00:00Z';

const staging = await startStagingForAll('SQLite');

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

test('a test time may have an offset, a fraction and letters in lower case', async () => {
  const { authorization } = await newAccount();
  const sent = '2030-12-05t02:30:07.999999999+02:30';
  expect(sent).toMatch(TEST_TIME);
  const { status, dateMs } = await send('/v1/pets', [authorization, `X-Test-Time:  ${sent}\t`]);
  expect({ status, dateMs }).toEqual({ status: 200, dateMs: Date.parse('2030-12-05T00:00:07Z') });
});

test.each(['2028-02-29T23:59:59Z', '2099-12-31T23:59:59Z'])('%s is a test time', (text) =>
  expect(text).toMatch(TEST_TIME),
);

test.each([
  '',
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
])('%j is not a test time', (text) => expect(text).not.toMatch(TEST_TIME));

test('anything else in X-Test-Time is refused with a message, and leaves the clock alone', async () => {
  const { authorization, dateMs } = await newAccount();
  // Two headers arrive as a list.
  const header = `X-Test-Time: ${TIME}`;
  const { status, message } = await send('/v1/pets', [authorization, header, header]);
  expect({ status, message }).toEqual({
    status: 400,
    message:
      'The header X-Test-Time must be now, or a time from 2000 to 2099 with a time zone, ' +
      'such as 2030-12-05T00:00:00Z.',
  });
  expect(await dateMs()).toBe(staging.clock.now());
});

test.each([
  ['/v1/unknown', 404],
  ['/v1/pets?limit=0', 400],
])('X-Test-Time works with a request to %s that fails', async (path, status) => {
  const { authorization } = await newAccount();
  const response = await send(path, [authorization, `X-Test-Time: ${TIME}`]);
  expect(response).toMatchObject({ status, dateMs: Date.parse(TIME) });
  const back = await send(path, [authorization, 'X-Test-Time: 2030-01-01T00:00:00Z']);
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
  await staging.store.accounts.revokeKey(id);
  expect((await send('/v1/pets', [authorization, header])).status).toBe(401);
  expect((await staging.store.accounts.getAccount(accountName)).clockSetToMs).toBe(0);
});
