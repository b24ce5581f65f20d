import { afterAll, describe, expect, test } from 'bun:test';
import { startLines } from '#cli/start-report.ts';
import { OPERATION_NAMES } from '#contract/operations.ts';
import { findings } from '../openapi/lint.ts';
import { run, type ServingHere, serveHere } from '../support/command.ts';
import { head, rawHttp } from '../support/http.ts';
import { newFile } from '../support/temporary-folder.ts';

const URL = 'https://staging.animals.example';

const resources = new AsyncDisposableStack();

const STAGING_URL = 'https://other.animals.example';
const stagingSettings = { ...newFile().settings, STAGING: 'on', PUBLIC_URL: URL, STAGING_URL };
const staging = resources.use(await serveHere(stagingSettings));
const production = resources.use(
  await serveHere({ ...newFile().settings, STAGING_URL: `${URL}/v1` }),
);
afterAll(() => resources.disposeAsync());

/** The whole response, without the parts that differ between any two requests. */
async function send({ started }: ServingHere, start: string, lines: readonly string[]) {
  const key = `Authorization: Bearer ${started.demoKey}`;
  const request = head(`${start} HTTP/1.1`, key, ...lines, 'Connection: close');
  const response = await rawHttp(started.listening, [request]);
  return response.replaceAll(/\r\n(?:X-Request-Id|Date|(?:X-)?RateLimit\S*): .*(?=\r\n)/g, '');
}

const page = async ({ started }: ServingHere, path: string) =>
  (await fetch(started.listening + path)).text();

const REQUESTS: readonly (readonly [string, ...string[]])[] = [
  ['GET /v1/pets'],
  ['OPTIONS /v1/pets', 'Access-Control-Request-Method: GET'],
  ['POST /v1/pets', 'Content-Type: application/json', 'Content-Length: 0'],
  ['GET /docs'],
  ['GET /unknown'],
];

test.each(REQUESTS)(
  '%s ignores X-Test-Time in production, and is marked on staging',
  async (start, ...lines) => {
    const plain = await send(production, start, lines);
    expect(plain).toStartWith('HTTP/1.1 ');
    expect(plain).not.toMatch(/X-Environment|X-Test-Time|id="recipes"|badge warning/i);
    for (const time of ['2031-01-01T00:00:00Z', 'not a time']) {
      expect(await send(production, start, [...lines, `X-Test-Time: ${time}`])).toBe(plain);
    }
    expect(await send(staging, start, lines)).toContain('\r\nX-Environment: staging\r\n');
  },
);

describe('staging', () => {
  test('says so when it starts, and to its operator', async () => {
    expect(startLines(staging.started)[0]).toMatch(/^Animal Store \S+ \(staging\)$/);
    expect(startLines(production.started)[0]).toMatch(/^Animal Store \S+$/);
    for (const path of ['/', '/metrics', '/api/session']) {
      const { headers } = await fetch(staging.started.operator + path);
      expect(headers.get('X-Environment')).toBe('staging');
    }
  });

  test('lets other origins send X-Test-Time and read X-Environment', async () => {
    const preflight = await send(staging, 'OPTIONS /v1/pets', [
      'Access-Control-Request-Method: GET',
      'Access-Control-Request-Headers: authorization,x-test-time',
    ]);
    expect(preflight).toMatch(/\r\nAccess-Control-Allow-Headers: .*X-Test-Time/);
    const response = await send(staging, 'GET /v1/pets', []);
    expect(response).toMatch(/\r\nAccess-Control-Expose-Headers: .*X-Environment/);
  });

  test('documents the test time of every operation, and the header of every response', async () => {
    const text = await page(staging, '/openapi.json');
    expect((await run({ STAGING: 'on', PUBLIC_URL: URL }, 'openapi')).stdout).toBe(text);
    expect(await findings(text)).toEqual([]);
    const document = JSON.parse(text);
    expect(document.servers).toMatchObject([{ url: `${URL}/v1`, description: 'Staging' }]);
    const operations = Object.values<object>(document.paths).flatMap(Object.values);
    expect(operations).toHaveLength(OPERATION_NAMES.length);
    for (const { parameters, responses } of operations) {
      expect(parameters).toContainEqual(expect.objectContaining({ name: 'X-Test-Time' }));
      expect(responses).toHaveProperty('400');
    }
    const responses = [
      ...operations.flatMap((operation) => Object.values<object>(operation.responses)),
      ...Object.values<object>(document.components.responses),
    ].filter((response) => !('$ref' in response));
    expect(responses.length).toBeGreaterThan(10);
    for (const response of responses) expect(response).toHaveProperty('headers.X-Environment');
  });

  test('is marked on its pages, which explain how to rehearse', async () => {
    const reference = await page(staging, '/docs');
    expect(reference).toContain('<span class="badge warning">staging</span>');
    expect(reference).toContain('<section id="recipes">');
    expect(await page(staging, '/docs/search.json')).toContain('"Rehearse"');
  });
});

test('production lists its own address and that of staging in its document, and nothing else of staging', async () => {
  const text = await page(production, '/openapi.json');
  expect(text).not.toMatch(/X-Test-Time|X-Environment/);
  expect(JSON.parse(text).servers).toEqual([
    { url: production.started.api, description: 'Production', 'x-internal': false },
    { url: `${URL}/v1`, description: 'Staging', 'x-internal': false },
  ]);
});
