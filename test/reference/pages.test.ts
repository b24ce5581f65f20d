import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { ERROR_CODES, ERRORS } from '#contract/errors.ts';
import type { SearchEntry } from '#reference/browser/search.ts';
import { parsePage } from '#reference/parse-page.tsx';
import { ReferencePages } from '#reference/reference-pages.tsx';
import { LANGUAGES } from '#reference/samples/languages.ts';
import clientPackage from '../../packages/client/package.json' with { type: 'json' };
import { expectCode, startServiceForAll } from '../support/service.ts';
import { FILES, PAGES } from './files.ts';

const service = await startServiceForAll();

/** Reads a page without decompressing it. */
function read(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> {
  const url = new URL(path, service.url);
  // Without the header, fetch would send one that accepts gzip.
  return fetch(url, { method, headers: { 'Accept-Encoding': '', ...headers }, decompress: false });
}

describe('a page that the reader already has', () => {
  const tagOf = async (path: string) => (await read(path)).headers.get('etag') ?? '';

  test.each([
    ['its tag as a strong one', (tag: string) => tag.replace('W/', '')],
    ['a list with its tag', (tag: string) => `"a", W/"b,c" , ${tag},"d"`],
    ['any tag', () => ' * '],
  ])('is 304 without a body for %s', async (_, condition) => {
    const tag = await tagOf('/docs');
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'If-None-Match': condition(tag), 'Accept-Encoding': 'gzip' };
      const again = await read('/docs', headers, method);
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('etag')).toBe(tag);
      expect(again.headers.get('vary')).toBe('Accept, Accept-Encoding');
      expect(again.headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('is 200 for the tag of another page, and 404 if it does not exist', async () => {
    const another = { 'If-None-Match': await tagOf('/docs/limits') };
    expect((await read('/docs', another)).status).toBe(200);
    expect((await read('/docs/nothing', { 'If-None-Match': '*' })).status).toBe(404);
  });
});

test('every file names only this deployment, and is compressed for a reader that accepts gzip', async () => {
  const accepting = { 'Accept-Encoding': 'br;q=1.0, GZIP ; q=0.001, *;q=0.1' };
  for (const path of FILES) {
    const plain = await read(path);
    const response = await read(path, accepting);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    for (const name of ['vary', 'etag', 'content-type']) {
      expect(response.headers.get(name)).toBe(plain.headers.get(name));
    }
    const bytes = await response.bytes();
    const text = await plain.text();
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text);
    expect(text).not.toContain('animal-store.example');
    const head = await read(path, accepting, 'HEAD');
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
  }
});

test.each(['identity', 'gzip;q=0, *', 'gzipped'])(
  'no file is compressed for Accept-Encoding: %s',
  async (encoding) => {
    const response = await read('/openapi.json', { 'Accept-Encoding': encoding });
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.text()).toStartWith('{');
  },
);

describe('a path that does not exist', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('is a page with working links for a browser', async () => {
    const path = '/client-docs/a/b';
    const response = await read(path, { Accept: BROWSER });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('vary')).toContain('Accept,');
    const { text, links } = await parse(response);
    expect(text).toContain('This page does not exist');
    for (const link of links) {
      const { pathname } = new URL(link, new URL(path, service.url));
      if (!link.startsWith('#')) expect(FILES).toContain(pathname);
    }
  });

  test.each([
    ['/nothing', '*/*'],
    ['/nothing', 'application/json, text/html'],
    ['/v1/nothing', BROWSER],
  ])('is an Error for GET %s with Accept: %s', async (path, accept) => {
    const headers = { Accept: accept, Authorization: `Bearer ${service.key.secret}` };
    const response = await read(path, headers);
    expect(response.headers.get('vary')).toBe(path.startsWith('/v1') ? null : 'Accept');
    await expectCode(response, 'route_not_found', '/openapi.json');
  });
});

async function parse(page: Response) {
  const text = await page.clone().text();
  const ids: string[] = [];
  const headings: string[] = [];
  const links: string[] = [];
  const rewriter = new HTMLRewriter()
    .on('[id]', { element: (element) => void ids.push(element.getAttribute('id') ?? '') })
    .on('h1,h2,h3,h4,h5,h6', { element: ({ tagName }) => void headings.push(tagName) })
    .on('a[href],link[href]', {
      element: (element) => void links.push(element.getAttribute('href') ?? ''),
    });
  await rewriter.transform(page).text();
  return { text, ids, headings, links };
}

describe.each(PAGES)('the page %s', (path) => {
  test('has headings in order, unique anchors and nothing inline', async () => {
    const page = await read(path);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; (?!.*(unsafe|http))/,
    );
    const { text, ids, headings } = await parse(page);
    expect(headings[0]).toBe('h1');
    headings.slice(1).forEach((heading, i) => {
      expect(Number(heading[1])).toBeGreaterThan(1);
      expect(Number(heading[1]) - Number(headings[i]?.[1])).toBeLessThanOrEqual(1);
    });
    expect(ids.toSorted()).toEqual([...new Set(ids)].sort());
    expect(text.replace(/<pre.*?<\/pre>/gs, '')).not.toMatch(
      /<style|\sstyle=|<script>|\son\w+=|(?<!<code>)undefined|\[object |\{\{\w/,
    );
  });

  test('is also found with a slash at the end, behind any prefix', async () => {
    const address = new URL(`${path}/`, service.url);
    const { status, headers } = await fetch(address, { redirect: 'manual' });
    expect(status).toBe(302);
    expect(headers.get('location')).not.toStartWith('/');
    expect(new URL(headers.get('location') ?? '', address).pathname).toBe(path);
  });

  test('strikes a deprecated operation through, and names the day of its removal', async () => {
    const { text } = await parse(await read(path));
    expect(text).toMatch(/<s>Get a pet<\/s>.{0,80}<span[^>]*>[^<]*5 December 2030/);
  });
});

/** The texts of the elements that match, in their order. */
function textsOf(html: string, selector: string) {
  const texts: string[] = [];
  const element = () => void texts.push('');
  const text = (chunk: HTMLRewriterTypes.Text) => void texts.push(texts.pop() + chunk.text);
  new HTMLRewriter().on(selector, { element, text }).transform(html);
  const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return texts.map((each) => each.replace(/&(\w+);/g, (_, name) => characters[name] ?? '').trim());
}

test.each(PAGES)('%s has the same headings, tables and code in HTML and Markdown', async (path) => {
  const html = await (await read(path)).text();
  const markdown = await (await read(`${path}.md`)).text();
  const rendered = Bun.markdown.html(markdown);
  for (const selector of ['h1, h2, h3', 'th, td']) {
    expect(textsOf(rendered, selector)).toEqual(textsOf(html, selector));
  }
  // The runtime would render a tab as spaces.
  const blocks = markdown.matchAll(/^```\w+\n(.*?)\n```$/gms);
  expect(Array.from(blocks, ([, code]) => code)).toEqual(textsOf(html, 'pre'));
});

test.each([
  ['/docs.md', 7],
  ['/docs/limits.md', 1],
  ['/llms-full.txt', 8],
])('%s has %d samples in each language', async (path, count) => {
  const text = await (await read(path)).text();
  for (const { title } of LANGUAGES) expect(text.split(`\n${title}:\n`).length).toBe(count + 1);
});

test.each([
  ['text/markdown, text/html, */*', '.md'],
  ['text/html;q=0.8, Text/Markdown; charset=utf-8; q=0.9', '.md'],
  ['text/html, text/markdown;q=0.9', ''],
  ['text/markdown;q=0.7, */*;q=0.8', ''],
  ['text/markdown;q=0', ''],
  ['text/*', ''],
])('a page for Accept: %s is that of /docs/limits%s', async (accept, ending) => {
  const response = await read('/docs/limits', { Accept: accept });
  const same = await read(`/docs/limits${ending}`);
  for (const name of ['content-type', 'etag', 'vary']) {
    expect(response.headers.get(name)).toBe(same.headers.get(name));
  }
  expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
  expect(await response.text()).toBe(await same.text());
});

test('the root leads a browser to the reference, and has the overview for a program', async () => {
  const headers = { Accept: 'text/html' };
  const browser = await fetch(new URL('/', service.url), { headers, redirect: 'manual' });
  expect([browser.status, browser.headers.get('location')]).toEqual([302, 'docs']);
  for (const accept of ['', 'application/json', 'text/markdown']) {
    const program = await read('/', { Accept: accept });
    expect(program.headers.get('vary')).toContain('Accept,');
    expect(await program.text()).toBe(await (await read('/llms.txt')).text());
  }
});

test('a page is not made if one of its placeholders is unknown', () => {
  const values = { known: 'something' };
  expect(parsePage('', '# About {{known}}', values).title).toBe('About something');
  expect(() => parsePage('/docs', '# About {{unknown}}', values)).toThrow('{{unknown}}');
});

test('the errors have their meanings and remedies, and a table says whether to retry', async () => {
  const markdown = await (await read('/docs/errors.md')).text();
  for (const { meaning, remedy } of Object.values(ERRORS)) {
    // The section of the error has both. A table has the meaning too.
    expect(markdown).toContain(`\n${meaning}\n\n**What to do:** ${remedy}`);
  }
  const { text } = await parse(await read('/docs/errors'));
  const rows = text.matchAll(
    /<tr[^>]*><th.*?#(\w+)".*?>(\d+)<.*?<td[^>]*>([^<]*(?:<code>.*?<\/code>)?)<\/td><\/tr>/g,
  );
  const table = Array.from(rows, ([, code, status, retry]) => ({ code, status, retry }));
  expect(table.map(({ code }) => code)).toEqual(ERROR_CODES);
  const retried = Object.groupBy(table, ({ retry }) => retry ?? '');
  const statuses = (retry: string) => [...new Set(retried[retry]?.map(({ status }) => status))];
  expect(statuses('only after <code>Retry-After</code>')).toEqual(['429', '503']);
  expect(statuses('no; in a brownout, after <code>Retry-After</code>')).toEqual(['410']);
  expect(statuses('yes')).toEqual(['408']);
  expect(statuses('no')).toEqual(['400', '401', '403', '404', '405', '413', '415', '422', '500']);
});

test('the changes page has what the changelog says to callers, with stricter rules first', async () => {
  const changelog = await Bun.file('CHANGELOG.md').text();
  const { text } = await parse(await read('/docs/changes'));
  const [, ...shown] = text.split('<h3>');
  const [, ...versions] = changelog.split(/^## /m);
  expect(shown.length).toBe(versions.length);
  for (const [index, version] of versions.entries()) {
    const callers = version.split('### For callers\n')[1]?.split(/^### /m)[0] ?? '';
    const [, ...entries] = callers.split(/^- /m);
    const stricter = entries.filter((entry) => entry.startsWith('**Stricter:** '));
    expect(entries.slice(0, stricter.length)).toEqual(stricter);
    expect(shown[index]).toStartWith(version.split('\n')[0] as string);
    expect(shown[index]?.split('</div>')[0]?.match(/<li>/g)?.length).toBe(entries.length);
  }
});

test('every link and search result leads to a file or an anchor, on staging also those of production', async () => {
  const origin = 'https://animal-store.example';
  const hrefs: string[] = [];
  for (const environment of ['production', 'staging'] as const) {
    const pages = new ReferencePages({ publicUrl: origin, programVersion: '', environment });
    const load = (path: string) =>
      new Response(pages.read(new Request(origin + path), path)?.body ?? null);
    const targets = new Set([...FILES, '/client.tgz']);
    for (const path of PAGES) {
      const { ids, links } = await parse(load(path));
      for (const id of ids) targets.add(`${path}#${id}`);
      const absolute = links.map((link) => new URL(link, origin + path).href);
      for (const other of ['/openapi.json', `${path}.md`]) {
        expect(absolute).toContain(origin + other);
      }
      hrefs.push(...absolute);
    }
    for (const path of [...PAGES.map((page) => `${page}.md`), '/llms.txt']) {
      const markdown = await load(path).text();
      const links = Array.from(markdown.matchAll(/\]\((.*?)\)/g), ([, link = '']) => link);
      expect(links).not.toEqual([]);
      // Markdown has no anchors, so its links have those of the page.
      for (const link of links) hrefs.push(new URL(link, origin + path).href.replace('.md#', '#'));
    }
    const index: SearchEntry[] = await load('/docs/search.json').json();
    for (const { href } of index) hrefs.push(`${origin}/${href}`);
    expect(hrefs.filter((href) => !targets.has(href.slice(origin.length)))).toEqual([]);
  }
});

test('the client is the file that npm installs, also at a path with its version', async () => {
  const pinned = '/client-0.0.0.tgz';
  const { text } = await parse(await read('/docs'));
  for (const path of ['/client.tgz', pinned]) {
    const response = await read(path, { 'Accept-Encoding': 'gzip' });
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(response.headers.get('cache-control')).toMatch(
      path === pinned ? /immutable/ : /no-cache/,
    );
    const files = await new Bun.Archive(await response.arrayBuffer()).files();
    expect(await files.get('package/package.json')?.json()).toEqual(clientPackage);
    expect(text).toMatch(new RegExp(` ${new URL(path, service.url)}[\n<]`));
  }
  const other = await read('/client-0.9.0.tgz', { Accept: 'text/html' });
  await expectCode(other, 'route_not_found', `${new URL(pinned, service.url)}`);
});

/** The releases that serve their client at a path with its version: all but the first. */
const RELEASES = readdirSync('test/fixtures').sort().slice(1);

test('the client of every release stays at its path, byte for byte', async () => {
  expect(RELEASES).toContain('1.1.0');
  for (const version of RELEASES) {
    const sha256 = await Bun.file(`test/fixtures/${version}/client.sha256`).text();
    const path = `/client-${version}.tgz`;
    const { href } = new URL(path, service.url);
    // A checkout has the version of the last release until the next release is prepared.
    const pages = new ReferencePages({ publicUrl: href, programVersion: version });
    const inCheckout = new Response(pages.read(new Request(href), path)?.body ?? null);
    for (const response of [await read(path), inCheckout]) {
      expect(new Bun.SHA256().update(await response.bytes()).digest('hex')).toBe(sha256);
    }
  }
});

test('openapi.yaml is the same document as openapi.json, and pages of other origins can read both', async () => {
  const [json, yaml] = [await read('/openapi.json'), await read('/openapi.yaml')];
  for (const [{ headers }, type] of [
    [json, 'application/json'],
    [yaml, 'application/yaml'],
  ] as const) {
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
  expect(Bun.YAML.parse(await yaml.text())).toEqual(await json.json());
});
