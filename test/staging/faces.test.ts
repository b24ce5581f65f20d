import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startLines } from '../../src/service/start-report.ts';
import { findings } from '../openapi/lint.ts';
import { run, type Serving, serve } from '../support/command.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const URL = 'https://staging.animals.example';
const TOKEN = 'a-token-for-the-tests-of-staging';

type Documented = {
  readonly [member: string]: Documented;
};

describe('a staging deployment', () => {
  const folder = temporaryFolder();
  let service: Serving;

  beforeAll(async () => {
    service = await serve({
      DATABASE_URL: `sqlite:${folder.path}/store.db`,
      PUBLIC_URL: URL,
      STAGING_URL: 'https://other.animals.example',
      STAGING: 'on',
      OPERATOR_TOKEN: TOKEN,
    });
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const page = async (path: string) => (await fetch(service.started.listening + path)).text();

  test('says so when it starts', () => {
    const report = JSON.parse(service.stdout());
    expect(report.environment).toBe('staging');
    expect(startLines(report)[0]).toMatch(/^Animal Store \S+ \(staging\)$/);
    expect(startLines({ ...report, environment: 'production' })[0]).toMatch(/^Animal Store \S+$/);
  });

  test('has an OpenAPI document with its own address only', async () => {
    const document = JSON.parse(await page('/openapi.json'));
    expect(document.servers).toEqual([
      { url: `${URL}/v1`, description: 'Staging', 'x-internal': false },
    ]);
    expect(await findings(JSON.stringify(document))).toEqual([]);
  });

  test('documents the test time of every operation, and the header of every response', async () => {
    const document = JSON.parse(await page('/openapi.json'));
    const operations = Object.values<Documented>(document.paths).flatMap((methods) =>
      Object.values(methods),
    );
    expect(operations).toHaveLength(3);
    for (const { parameters, responses } of operations) {
      const names = Object.values(parameters ?? {}).map(({ name }) => name as unknown);
      expect(names).toContain('X-Test-Time');
      expect(Object.keys(responses ?? {})).toContain('400');
    }
    const responses = [
      ...operations.flatMap(({ responses = {} }) => Object.values(responses)),
      ...Object.values<Documented>(document.components.responses),
    ].filter((response) => !('$ref' in response));
    expect(responses.length).toBeGreaterThan(10);
    for (const { headers } of responses)
      expect(Object.keys(headers ?? {})).toContain('X-Environment');
  });

  test('prints the same document as the command', async () => {
    const { stdout } = await run({ STAGING: 'on', PUBLIC_URL: URL }, 'openapi');
    expect(stdout).toBe(await page('/openapi.json'));
  });

  test('is marked on every page, and explains how to rehearse', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/limits', '/docs/changes']) {
      expect(await page(path)).toContain('<span class="badge warning">staging</span>');
    }
    const reference = await page('/docs');
    expect(reference).toContain('<section id="rehearse">');
    expect(reference).toContain('id="getPet-X-Test-Time"');
    const index = JSON.parse(await page('/docs/search.json'));
    const titles = index.map(({ title }: { title: string }) => title);
    expect(titles).toContain('Rehearse');
    expect(titles).toContain('X-Environment');
  });

  test('is marked in the console', async () => {
    const session = await fetch(`${service.started.operator}/api/session`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    expect(await session.json()).toMatchObject({ environment: 'staging' });
  });

  test.each(['/', '/health/ready', '/metrics', '/api/session', '/unknown'])(
    'says so to its operator, on %s',
    async (path) => {
      const { headers } = await fetch(service.started.operator + path);
      expect(headers.get('X-Environment')).toBe('staging');
    },
  );
});

test('production has none of it', async () => {
  await using service = await startService();
  const origin = service.url.replace('/v1', '');
  for (const path of ['/docs', '/docs/errors', '/docs/search.json', '/openapi.json']) {
    const response = await fetch(origin + path);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/X-Test-Time|X-Environment|rehearse"|badge warning/);
  }
});
