import { describe, expect, test } from 'bun:test';
import type { z } from 'zod';
import { MAX_BODY_BYTES, MAX_BODY_PIECES, MAX_BODY_VALUES } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { exampleOf, OPERATIONS, type Operation } from '#contract/operations.ts';
import { namedSchemas, nameOfRef, schemaOf } from '#contract/schemas.ts';
import { head, rawHttp } from '../support/http.ts';
import { type CallOptions, expectCode, startServiceForAll } from '../support/service.ts';
import { eventually } from '../support/time.ts';

const service = await startServiceForAll();
/** Pet 1, for the operations whose path names a pet. */
await service.post(OPERATIONS.createPet.body.example);

const allPets = () => service.store.pets.listPets({ limit: 1_000_000 });

/** With Redis, chunks cannot be counted, because the runtime joins them while the service waits for Redis. */
const isShared = Bun.env['TEST_BACKEND'] === 'shared';

/** Finds the header of a response that closes its connection. */
const CLOSES = /^connection: close\r?$/im;

const WITH_BODY = Object.entries<Operation>(OPERATIONS).filter(([, { body }]) => body);

describe.each(WITH_BODY)('the body of %s', (_, operation) => {
  const { method, path: template, body, success } = operation;
  const path = template.replace('{petId}', '1');
  const json = JSON.stringify(body?.example);

  const send = (options?: CallOptions) => service.send(operation, options);

  /** Sends a body that must be refused with this error and change nothing. Returns the headers. */
  async function refuse(options: CallOptions, code: ErrorCode, rule: string) {
    const before = await allPets();
    const response = await send(options);
    await expectCode(response, code, rule);
    expect(await allPets()).toEqual(before);
    return response.headers;
  }

  test.each([
    ['empty', '', 'The body is empty'],
    ['an incomplete object', '{"name":"Rex"', 'expected "," or "}"'],
    ['nested too deeply', '['.repeat(30_000), 'The body is nested deeper than 64 levels.'],
    [
      'an array of too many values',
      `[${'1,'.repeat(30_000)}1]`,
      `more than ${MAX_BODY_VALUES} values`,
    ],
    ['not UTF-8', Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not valid UTF-8'],
  ])('that is %s is 400 malformed_json', async (_, body, rule) => {
    await refuse({ body }, 'malformed_json', rule);
  });

  test('that is the example in the document gets the response that the document shows, except for the id', async () => {
    const { id, ...rest } = (await (await send()).json()) as Record<string, unknown>;
    expect({ id, ...rest }).toEqual({ ...(success.example as object), id });
  });

  test('that is {} is refused as documented if the operation requires a field, and accepted otherwise', async () => {
    const { $ref = '' } = schemaOf(body?.schema as z.ZodType);
    const shape = namedSchemas()[nameOfRef($ref)] ?? {};
    const example = exampleOf('validation_failed', operation);
    if ('required' in shape || 'minProperties' in shape) {
      await refuse({ body: '{}' }, 'validation_failed', example);
    } else {
      expect((await send({ body: '{}' })).status).toBe(success.status);
    }
  });

  test('that is an array is 400 validation_failed', async () => {
    await refuse({ body: '[]' }, 'validation_failed', 'The body must be a JSON object');
  });

  test.each([
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=latin1',
    '',
  ])('with the type %p is 415 unsupported_media_type', async (type) => {
    const rule = 'Content-Type: application/json';
    const sent = { headers: { 'Content-Type': type } };
    const headers = await refuse(sent, 'unsupported_media_type', rule);
    expect(headers.has('accept-encoding')).toBe(false);
  });

  test('that is compressed is 415, and Accept-Encoding lists the encodings that are accepted', async () => {
    const sent = { body: Bun.gzipSync(json), headers: { 'Content-Encoding': 'gzip' } };
    const headers = await refuse(sent, 'unsupported_media_type', 'do not compress');
    expect(headers.get('accept-encoding')).toBe('identity');
  });

  function rawHead(headers: string, secret = service.key.secret) {
    const key = `Authorization: Bearer ${secret}`;
    return head(`${method} /v1${path} HTTP/1.1`, key, 'Content-Type: application/json', headers);
  }

  /** Sends the head and the text in one packet. The text is the body, and anything that follows it. */
  function sendRaw(headers: string, text: string) {
    return rawHttp(service.url, [rawHead(headers) + text]);
  }

  /** A body in this many chunks. */
  function inChunks(count: number) {
    const spaces = '1\r\n \r\n'.repeat(count - 1);
    return `${spaces}${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
  }

  test(`in ${MAX_BODY_PIECES} chunks is accepted`, async () => {
    const headers = 'Transfer-Encoding: chunked\r\nConnection: close';
    const response = await sendRaw(headers, inChunks(MAX_BODY_PIECES));
    expect(response).toStartWith(`HTTP/1.1 ${success.status}`);
  });

  function expectTooManyPieces(response: string) {
    expect(response).toStartWith('HTTP/1.1 400');
    expect(response).toMatch(CLOSES);
    expect(response).toContain('"code":"malformed_json"');
    expect(response).toContain(`in more than ${MAX_BODY_PIECES} chunks or packets`);
  }

  test.skipIf(isShared)(
    `in ${MAX_BODY_PIECES + 1} chunks is 400 malformed_json, and the connection is closed`,
    async () => {
      const chunks = inChunks(MAX_BODY_PIECES + 1);
      expectTooManyPieces(await sendRaw('Transfer-Encoding: chunked', chunks));
    },
  );

  /** Sends pieces of a body, until the service has responded. */
  function sendUntilResponse(headers: string, piece: string, secret?: string) {
    const before = service.observed.length;
    async function* piecesUntilResponse() {
      yield rawHead(headers, secret);
      while (service.observed.length === before) {
        yield piece;
        await Bun.sleep(0);
      }
    }
    return rawHttp(service.url, piecesUntilResponse());
  }

  const length = `Content-Length: ${MAX_BODY_BYTES}`;

  test('in a packet for each byte is 400 malformed_json, and the rest is not read', async () => {
    expectTooManyPieces(await sendUntilResponse(length, ' '));
  });

  test('of a request that is refused anyway closes the connection if it arrives one byte per packet', async () => {
    const response = await sendUntilResponse(length, ' ', 'unknown');
    expect(response).toStartWith('HTTP/1.1 401');
    expect(response).toMatch(CLOSES);
  });

  test('in an endless series of chunks is 413 payload_too_large, and the connection is closed', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    // A client that is still sending when the connection closes may not see the response.
    await sendUntilResponse('Transfer-Encoding: chunked', chunk).catch(() => {});
    const expected = { error: 'payload_too_large', headers: { Connection: 'close' } };
    expect(service.observed.at(-1)?.response).toMatchObject(expected);
  });

  test.each([
    ['keeps the connection if the last chunk arrives', inChunks(3), false],
    ['closes the connection if the last chunk does not arrive', '1\r\n \r\n', true],
  ])('of a request that is refused anyway %s', async (_, chunks, closes) => {
    const next = closes ? '' : head('GET / HTTP/1.1', 'Connection: close');
    async function* parts() {
      const before = service.observed.length;
      yield rawHead('Transfer-Encoding: chunked', 'unknown') + chunks;
      await eventually(() => service.observed.length > before);
      yield next;
    }
    const [first = ''] = (await rawHttp(service.url, parts())).split('\r\n\r\n');
    expect(first).toStartWith('HTTP/1.1 401');
    expect(CLOSES.test(first)).toBe(closes);
  });

  test('with a Content-Length over the limit is refused before it is sent', async () => {
    const response = await sendRaw('Connection: close\r\nContent-Length: 900000000000', '{');
    expect(response).toStartWith('HTTP/1.1 413');
    expect(response).toContain('payload_too_large');
    expect(response.toLowerCase()).toContain('x-ratelimit-limit');
  });

  /** Sends raw bytes that must not change any pet, and waits until the service has finished the request. */
  async function sendWithoutEffect(headers: string, text: string) {
    const before = await allPets();
    const responsesBefore = service.observed.length;
    const received = await sendRaw(headers, text);
    await eventually(() => service.observed.length > responsesBefore);
    expect(await allPets()).toEqual(before);
    return received;
  }

  test('with announced trailers is 400', async () => {
    const headers = 'Transfer-Encoding: chunked\r\nTrailer: X-Sum';
    const chunks = `${json.length.toString(16)}\r\n${json}\r\n0\r\n`;
    const response = await sendWithoutEffect(headers, `${chunks}X-Sum: 1\r\n\r\n`);
    expect(response).toStartWith('HTTP/1.1 400');
    // While the service waits for Redis, the runtime itself responds with a 400, whose body is different.
    if (!isShared) {
      expect(response).toContain('The header Trailer is not supported');
    }
  });

  test('with two equal Content-Length headers is 400', async () => {
    const length = `Content-Length: ${json.length}`;
    const response = await sendWithoutEffect(`${length}\r\n${length}\r\nConnection: close`, json);
    expect(response).toStartWith('HTTP/1.1 400');
    expect(response).toContain('The header Content-Length must be sent only once.');
  });

  test('with another request right behind it gets no response and changes nothing', async () => {
    const next = head('GET /docs HTTP/1.1');
    expect(await sendWithoutEffect(`Content-Length: ${json.length}`, json + next)).toBe('');
  });

  test.each([
    ['with', (text: string) => text],
    // Through another stream, because the runtime knows the length of that of a blob.
    ['without', (text: string) => new Blob([text]).stream().pipeThrough(new TransformStream())],
  ])(
    'of 64 KiB %s Content-Length is accepted, and one byte more is 413 payload_too_large',
    async (_, sent) => {
      const sized = (bytes: number) => ({ body: sent(json.padEnd(bytes)) });
      expect((await send(sized(MAX_BODY_BYTES))).status).toBe(success.status);
      await refuse(sized(MAX_BODY_BYTES + 1), 'payload_too_large', '65,536 bytes');
    },
  );
});
