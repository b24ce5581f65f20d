import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API_VERSION } from '../../src/contract/api.ts';
import { ERROR_CODES } from '../../src/contract/errors.ts';
import { OPERATIONS, type Operation, parametersOf } from '../../src/contract/operations.ts';
import type { SearchEntry } from '../../src/reference/browser/search.ts';
import { API_CHANGES } from '../../src/reference/changes-page.tsx';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const PAGES = ['/docs', '/docs/errors', '/docs/limits', '/docs/changes'];
const FILES = [
  ...PAGES,
  ...['/docs/style.css', '/docs/reference.js', '/docs/search.js', '/docs/search.json'],
  ...['/docs/icon.svg', '/openapi.json', '/openapi.yaml'],
];

/** Reads a page without decompressing it. */
function read(path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> {
  const url = new URL(path, service.url);
  // Without the header, fetch would send one that accepts gzip.
  return fetch(url, { method, headers: { 'Accept-Encoding': '', ...headers }, decompress: false });
}

describe('a page that the reader already has', () => {
  const same = (tag: string) => tag;
  test.each([
    ['its tag', same],
    ['its tag as a strong one', (tag: string) => tag.replace('W/', '')],
    ['a list with its tag', (tag: string) => `"a", W/"b,c" , ${tag},"d"`],
    ['a list without spaces', (tag: string) => `"a",${tag}`],
    ['any tag', () => '*'],
    ['any tag, with spaces', () => ' * '],
  ])('is 304 without a body for %s', async (_, condition) => {
    for (const path of FILES) {
      const first = await read(path, {});
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^W\/"\w+"$/);
      for (const method of ['GET', 'HEAD']) {
        for (const encoding of ['', 'gzip']) {
          const headers = { 'If-None-Match': condition(tag), 'Accept-Encoding': encoding };
          const again = await read(path, headers, method);
          expect([again.status, await again.text()]).toEqual([304, '']);
          expect(again.headers.get('etag')).toBe(tag);
          expect(again.headers.get('vary')).toBe('Accept-Encoding');
          expect(again.headers.get('cache-control')).toBe('no-cache');
          expect(again.headers.has('content-type')).toBe(false);
          expect(again.headers.has('content-encoding')).toBe(false);
        }
      }
    }
  });

  test.each([
    ['another tag', () => '"another"'],
    ['a list of others', () => '"a", W/"b"'],
    ['its tag without quotes', (tag: string) => tag.replace(/^W\/"|"$/g, '')],
    ['its tag inside another one', (tag: string) => `"a${tag.slice(3)}`],
    ['a star in quotes', () => '"*"'],
    ['nothing', () => ''],
  ])('is 200 for %s', async (_, condition) => {
    const first = await read('/docs', {});
    const headers = { 'If-None-Match': condition(first.headers.get('etag') ?? '') };
    const again = await read('/docs', headers);
    expect([again.status, await again.text()]).toEqual([200, await first.text()]);
  });

  test('is not 304 if it does not exist', async () => {
    expect((await read('/docs/nothing', { 'If-None-Match': '*' })).status).toBe(404);
  });
});

describe('with If-Match, which a weak tag never matches', () => {
  test.each([
    [412, 'its tag', (tag: string) => tag],
    [412, 'its tag as a strong one', (tag: string) => tag.replace('W/', '')],
    [412, 'another tag', () => '"another"'],
    [200, 'any tag', () => ' * '],
  ])('a page is %d for %s', async (status, _, condition) => {
    for (const path of FILES) {
      const tag = (await read(path, {})).headers.get('etag') ?? '';
      for (const method of ['GET', 'HEAD']) {
        const response = await read(path, { 'If-Match': condition(tag) }, method);
        expect([path, response.status]).toEqual([path, status]);
        expect(response.headers.get('etag')).toBe(tag);
        const hasBody = (await response.text()) !== '';
        expect(hasBody).toBe(status === 200 && method === 'GET');
      }
    }
  });

  test('it is checked before If-None-Match', async () => {
    const headers = { 'If-Match': '"another"', 'If-None-Match': '*' };
    expect((await read('/docs', headers)).status).toBe(412);
  });

  test('a page that does not exist is still 404, and a redirect a redirect', async () => {
    const headers = { 'If-Match': '"another"' };
    expect((await read('/docs/nothing', headers)).status).toBe(404);
    expect((await read('/docs/nothing', { ...headers, Accept: 'text/html' })).status).toBe(404);
    const { status } = await fetch(new URL('/', service.url), { headers, redirect: 'manual' });
    expect(status).toBe(302);
  });
});

describe('a page is compressed', () => {
  test.each([
    ...['gzip', 'gzip, deflate, br, zstd', 'GZIP', 'br;q=1.0, gzip;q=0.8, *;q=0.1'],
    ...['gzip;q=0.001', 'gzip ; q=1', 'identity;q=0.5, gzip', 'gzip, identity'],
  ])('for Accept-Encoding: %s', async (encoding) => {
    for (const path of FILES) {
      const plain = await read(path, {});
      const response = await read(path, { 'Accept-Encoding': encoding });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(response.headers.get('etag')).toBe(plain.headers.get('etag'));
      expect(response.headers.get('content-type')).toBe(plain.headers.get('content-type'));
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text());
      const head = await read(path, { 'Accept-Encoding': encoding }, 'HEAD');
      expect(head.headers.get('content-length')).toBe(String(bytes.length));
    }
  });

  test.each([
    ...['', 'identity', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0, *', 'gzip;q=0.0'],
    ...['gzip;q=x', 'gzipped', 'identity;q=0'],
  ])('not for Accept-Encoding: %p', async (encoding) => {
    const response = await read('/openapi.json', { 'Accept-Encoding': encoding });
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.text()).toStartWith('{');
  });

  test('to less than a third of its size', async () => {
    const size = async (encoding: string) =>
      (await (await read('/openapi.json', { 'Accept-Encoding': encoding })).bytes()).length;
    expect(await size('gzip')).toBeLessThan((await size('')) / 3);
  });
});

test('a response of the API is not compressed', async () => {
  const headers = { 'Accept-Encoding': 'gzip' };
  const response = await service.call('/pets', { headers });
  expect(response.headers.has('content-encoding')).toBe(false);
});

describe('a path that does not exist', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test.each(['/nothing', '/docs/nothing', '/docs/a/b/c'])(
    '%s is a page with working links for a browser',
    async (path) => {
      const response = await read(path, { Accept: BROWSER, 'If-None-Match': '*' });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toStartWith("default-src 'none'");
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('vary')).toContain('Accept,');
      const { text, links } = await parse(response);
      expect(text).toContain('This page does not exist');
      for (const link of links) {
        const { pathname } = new URL(link, new URL(path, service.url));
        if (!link.startsWith('#')) expect(FILES).toContain(pathname);
      }
      expect((await read(path, { Accept: BROWSER }, 'HEAD')).status).toBe(404);
    },
  );

  test.each(['*/*', '', 'application/json', 'application/json, text/html', 'text/html;q=0'])(
    'is an Error for Accept: %p',
    async (accept) => {
      const response = await read('/nothing', { Accept: accept });
      expect(response.headers.get('vary')).toBe('Accept');
      expect(await response.json()).toMatchObject({ code: 'route_not_found', status: 404 });
    },
  );

  test('is an Error under /v1, for other methods, and far below the root', async () => {
    const headers = { Accept: BROWSER, Authorization: `Bearer ${service.key.secret}` };
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['POST', '/nothing'],
      ['GET', '/a'.repeat(20)],
    ] as const) {
      const response = await read(path, headers, method);
      expect(response.headers.get('content-type')).toStartWith('application/json');
      expect(response.status).toBe(404);
    }
  });
});

interface Parsed {
  readonly text: string;
  readonly ids: string[];
  readonly headings: string[];
  readonly links: string[];
}

async function parse(page: Response): Promise<Parsed> {
  const text = await page.clone().text();
  const ids: string[] = [];
  const headings: string[] = [];
  const links: string[] = [];
  const rewriter = new HTMLRewriter()
    .on('[id]', { element: (element) => void ids.push(element.getAttribute('id') ?? '') })
    .on('h1,h2,h3,h4,h5,h6', { element: ({ tagName }) => void headings.push(tagName) })
    .on('a[href],link[href]', {
      element: (element) => void links.push(element.getAttribute('href') ?? ''),
    })
    .on('script[src],img[src]', {
      element: (element) => void links.push(element.getAttribute('src') ?? ''),
    });
  await rewriter.transform(page).text();
  return { text, ids, headings, links };
}

describe('each page', () => {
  test.each(PAGES)('%s has headings in order, unique anchors and nothing inline', async (path) => {
    const { text, ids, headings } = await parse(await read(path, {}));
    expect(headings[0]).toBe('h1');
    headings.slice(1).forEach((heading, i) => {
      expect(Number(heading[1])).toBeGreaterThan(1);
      expect(Number(heading[1]) - Number(headings[i]?.[1])).toBeLessThanOrEqual(1);
    });
    expect(ids.toSorted()).toEqual([...new Set(ids)].sort());
    expect(text).not.toMatch(/<style|\sstyle=|<script>|\son\w+=|(?<!<code>)undefined|\[object /);
  });

  test.each(PAGES)('%s is also found with a slash at the end, behind any prefix', async (path) => {
    const address = new URL(`${path}/`, service.url);
    const { status, headers } = await fetch(address, { redirect: 'manual' });
    expect(status).toBe(302);
    expect(headers.get('location')).not.toStartWith('/');
    expect(new URL(headers.get('location') ?? '', address).pathname).toBe(path);
  });

  test('names the version of the API and of the program', async () => {
    for (const path of PAGES) {
      const { text } = await parse(await read(path, {}));
      expect(text).toContain('<dt>API</dt><dd>1.0.0</dd><dt>Program</dt><dd>0.0.0</dd>');
    }
  });

  test('strikes a deprecated operation through, and names the day of its removal', async () => {
    for (const path of PAGES) {
      const { text } = await parse(await read(path, {}));
      expect(text).toMatch(/<s>Get a pet<\/s>.{0,80}<span[^>]*>[^<]*5 December 2030/);
    }
    const { text } = await parse(await read('/docs', {}));
    const [, getPet = ''] = text.split('<section id="getPet">');
    expect(getPet.split('</section>')[0]).not.toContain('stable');
  });

  test('loads less than 60 kB', async () => {
    const size = async (path: string) =>
      (await (await read(path, { 'Accept-Encoding': 'gzip' })).bytes()).length;
    const shared = await Promise.all(['/docs/style.css', '/docs/reference.js'].map(size));
    for (const path of PAGES) {
      const total = [await size(path), ...shared].reduce((sum, bytes) => sum + bytes);
      console.log(`${path}: ${total} bytes compressed, with its style and its script`);
      expect(total).toBeLessThan(60_000);
    }
  });
});

test('the changes begin with the version of the API', async () => {
  expect(API_CHANGES[0].version).toBe(API_VERSION);
  const { text } = await parse(await read('/docs/changes', {}));
  for (const change of API_CHANGES[0].changes) expect(text).toContain(change);
});

test('the search finds every operation, parameter, field and error code, and leads to it', async () => {
  const index = (await (await read('/docs/search.json', {})).json()) as SearchEntry[];
  const titles = index.map(({ title }) => title);
  for (const operation of Object.values<Operation>(OPERATIONS)) {
    const parameters = parametersOf(operation).map(({ name }) => name);
    expect(titles).toEqual(expect.arrayContaining([operation.summary, ...parameters]));
  }
  expect(titles).toEqual(
    expect.arrayContaining([...ERROR_CODES, 'categoryId', 'Retry-After', 'Pagination', 'Limits']),
  );
  const anchors = new Map<string, string[]>();
  for (const path of PAGES) anchors.set(path, (await parse(await read(path, {}))).ids);
  for (const { href } of index) {
    const [path, id] = `/${href}`.split('#');
    expect([...(anchors.get(path ?? '') ?? []), undefined]).toContain(id);
  }
});

test('openapi.yaml is the same document as openapi.json', async () => {
  const yaml = await read('/openapi.yaml', {});
  expect(yaml.headers.get('content-type')).toBe('application/yaml');
  expect(yaml.headers.get('access-control-allow-origin')).toBe('*');
  expect(Bun.YAML.parse(await yaml.text())).toEqual(await (await read('/openapi.json', {})).json());
});
