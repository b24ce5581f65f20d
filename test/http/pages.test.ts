import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const PAGES = ['/docs', '/docs/errors', '/docs/limits', '/docs/style.css', '/docs/try-it.js'];

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
    for (const path of [...PAGES, '/openapi.json']) {
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

describe('a page is compressed', () => {
  test.each([
    ...['gzip', 'gzip, deflate, br, zstd', 'GZIP', 'x-gzip', 'br;q=1.0, gzip;q=0.8, *;q=0.1', '*'],
    ...['gzip;q=0.001', 'gzip ; q=1', 'identity;q=0.5, gzip', 'identity;q=0, *', 'gzip, identity'],
  ])('for Accept-Encoding: %s', async (encoding) => {
    for (const path of [...PAGES, '/openapi.json']) {
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
    ...[
      '',
      'identity',
      'br',
      'gzip;q=0',
      '*;q=0',
      'gzip;q=0, *',
      'gzip;q=0.0',
      'identity, gzip;q=0.5',
    ],
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
