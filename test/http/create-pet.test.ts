import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { MAX_BODY_BYTES } from '../../src/contract/api.ts';
import { beginCreation } from '../support/begin-creation.ts';
import { eventually } from '../support/command.ts';
import { rawHttp } from '../support/raw-http.ts';
import { type CallOptions, exactJson, startService, type TestService } from '../support/service.ts';

const REX = { name: 'Rex', categoryId: 1 };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function petCount(): Promise<number> {
  return (await service.store.pets.listPets({ limit: 1_000_000 })).length;
}

/** Posts a body that must be refused, and returns the error. */
async function refusal(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  options: CallOptions = {},
): Promise<{ status: number; code: string; message: string }> {
  const before = await petCount();
  const response = await service.call('/pets', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
    ...options,
  });
  expect(await petCount()).toBe(before);
  return (await response.json()) as { status: number; code: string; message: string };
}

describe('a created pet', () => {
  test('is returned with 201, all its fields and its Location', async () => {
    const response = await service.post({ name: 'Tom', categoryId: 9, status: 'pending' });
    expect(response.status).toBe(201);
    const pet = (await exactJson(response)) as { id: bigint };
    expect<object>(pet).toEqual({ id: pet.id, name: 'Tom', categoryId: 9n, status: 'pending' });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`${service.url}/pets/${pet.id}`);
    expect(await exactJson(await service.call(`/pets/${pet.id}`))).toEqual(pet);
  });

  test('is available when the request has no status', async () => {
    expect(await exactJson(await service.post(REX))).toMatchObject({ status: 'available' });
  });

  test('can be sent as JSON with a charset, a byte order mark and unknown fields', async () => {
    const body = '\ufeff{"name":"Rex","categoryId":1,"color":"black","id":77}';
    for (const type of [
      'Application/JSON; charset="UTF-8"',
      'application/json;charset=utf-8; profile=a',
      'application/json;',
      'application/json ;\tcharset=utf-8',
      'application/json; profile="charset"',
      'application/json; charset=utf8',
      'application/json; charset=US-ASCII',
    ]) {
      const response = await service.post(body, { headers: { 'Content-Type': type } });
      expect(response.status).toBe(201);
      expect(await response.json()).not.toMatchObject({ id: 77 });
    }
  });

  test('keeps its name unchanged, including white space', async () => {
    const name = '  Zoë 👩‍👩‍👧 "q" \\ \u2028 ';
    expect(await exactJson(await service.post({ name, categoryId: 1 }))).toMatchObject({ name });
  });

  test.each(['7.0', '7e0', '70e-1', '0.7E+1'])(
    'has categoryId 7 when the request has %s',
    async (source) => {
      const response = await service.post(`{"name":"Rex","categoryId":${source}}`);
      expect(await exactJson(response)).toMatchObject({ categoryId: 7n });
    },
  );
});

const NAME_RULE = 'name must be a string of 1 to 255 characters';
const CATEGORY_RULE =
  'categoryId must be an integer from -9223372036854775808 to 9223372036854775807';
const STATUS_RULE = 'status must be one of available, pending, sold';
const OBJECT_RULE = 'must be a JSON object with at least name and categoryId';

describe('a body with invalid values is 400 validation_failed and states the rule', () => {
  const anyName = (name: string) => `{"name":${name},"categoryId":1}`;
  const anyCategory = (categoryId: string) => `{"name":"Rex","categoryId":${categoryId}}`;
  const anyStatus = (status: string) => `{"name":"Rex","categoryId":1,"status":${status}}`;
  const many = (character: string, count: number) =>
    anyName(JSON.stringify(character.repeat(count)));

  test.each([
    ['a missing name', '{"categoryId":1}', 'name is required'],
    ['a missing categoryId', '{"name":"Rex"}', 'categoryId is required'],
    ['both missing', '{}', 'name is required; categoryId is required'],
    ['a number as name', anyName('7'), NAME_RULE],
    ['null as name', anyName('null'), NAME_RULE],
    ['an array as name', anyName('["Rex"]'), NAME_RULE],
    ['an object as name', anyName('{"a":{"b":[{}]}}'), NAME_RULE],
    ['true as name', anyName('true'), NAME_RULE],
    ['an empty name', anyName('""'), NAME_RULE],
    ['a name of only white space', anyName('" \\u2003 "'), NAME_RULE],
    ['a name with NUL', anyName('"a\\u0000b"'), NAME_RULE],
    ['a name with a lone surrogate', anyName('"\\ud83d"'), NAME_RULE],
    ['a name of 256 characters', many('x', 256), NAME_RULE],
    ['a name of 256 astral characters', many('🐈', 256), NAME_RULE],
    ['a string as categoryId', anyCategory('"7"'), CATEGORY_RULE],
    ['null as categoryId', anyCategory('null'), CATEGORY_RULE],
    ['a fraction as categoryId', anyCategory('7.5'), CATEGORY_RULE],
    ['true as categoryId', anyCategory('true'), CATEGORY_RULE],
    ['an array as categoryId', anyCategory('[1]'), CATEGORY_RULE],
    ['an object as categoryId', anyCategory('{}'), CATEGORY_RULE],
    ['a categoryId one above the maximum', anyCategory('9223372036854775808'), CATEGORY_RULE],
    ['a categoryId one below the minimum', anyCategory('-9223372036854775809'), CATEGORY_RULE],
    ['a categoryId with a billion digits', anyCategory('1e999999999'), CATEGORY_RULE],
    ['a categoryId with 60,000 digits', anyCategory(`1${'0'.repeat(60_000)}1`), CATEGORY_RULE],
    ['an unknown status', anyStatus('"lost"'), STATUS_RULE],
    ['a status in the wrong case', anyStatus('"Available"'), STATUS_RULE],
    ['an empty status', anyStatus('""'), STATUS_RULE],
    ['null as status', anyStatus('null'), STATUS_RULE],
    ['a number as status', anyStatus('1'), STATUS_RULE],
    ['an array as status', anyStatus('["sold"]'), STATUS_RULE],
    [
      'all three invalid',
      '{"name":"","categoryId":1.5,"status":1}',
      `; ${CATEGORY_RULE}; ${STATUS_RULE}`,
    ],
    ['an array as body', '[]', OBJECT_RULE],
    ['an array of pets', '[{"name":"Rex","categoryId":1}]', OBJECT_RULE],
    ['null as body', 'null', OBJECT_RULE],
    ['a number as body', '7', OBJECT_RULE],
    ['a string as body', '"Rex"', OBJECT_RULE],
    ['fields inside __proto__', '{"__proto__":{"name":"Rex","categoryId":1}}', 'name is required'],
    [
      'fields inside constructor',
      '{"constructor":{"prototype":{"name":"Rex"}}}',
      'name is required',
    ],
  ])('%s', async (_, body, rule) => {
    const { status, code, message } = await refusal(body);
    expect({ status, code }).toEqual({ status: 400, code: 'validation_failed' });
    expect(message).toContain(rule);
  });

  test('a name of 255 characters is valid, astral or not', async () => {
    for (const character of ['x', '🐈']) {
      const name = character.repeat(255);
      const response = await service.post({ name, categoryId: 1 });
      expect(await exactJson(response)).toMatchObject({ name });
    }
  });
});

describe('a body that is not JSON is 400 malformed_json', () => {
  test.each([
    ['an empty body', '', 'The body is empty'],
    ['only white space', ' \n ', 'expected a value'],
    ['an incomplete object', '{"name":"Rex"', 'expected "," or "}"'],
    ['a duplicate field', '{"name":"a","name":"b","categoryId":1}', 'a field is repeated'],
    ['single quotes', "{'name':'Rex'}", 'in double quotes'],
    ['a trailing comma', '{"name":"Rex","categoryId":1,}', 'in double quotes'],
    ['a comment', '{} // x', 'expected the end'],
    ['two values', '{}{}', 'expected the end'],
    ['NaN', '{"name":"Rex","categoryId":NaN}', 'expected a value'],
    ['a leading zero', '{"name":"Rex","categoryId":007}', 'expected "," or "}"'],
    ['a raw NUL', '{"name":"a\0b","categoryId":1}', 'control character'],
    ['endless nesting', '['.repeat(30_000), 'nested deeper than 64'],
    ['form data', 'name=Rex&categoryId=1', 'expected a value'],
  ])('%s', async (_, body, rule) => {
    const { status, code, message } = await refusal(body);
    expect({ status, code }).toEqual({ status: 400, code: 'malformed_json' });
    expect(message).toContain(rule);
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('%s', async (_, bytes) => {
    const { code, message } = await refusal(Uint8Array.from(bytes));
    expect(code).toBe('malformed_json');
    expect(message).toContain('not valid UTF-8');
  });

  test('a request without a body', async () => {
    const response = await service.call('/pets', { method: 'POST' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'malformed_json' });
  });
});

describe('a body that is not declared as JSON is 415 unsupported_media_type', () => {
  test.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; profile="a"; charset=latin1',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=',
    'multipart/form-data; boundary=x',
    '',
  ])('%p', async (type) => {
    const { status, code, message } = await refusal(JSON.stringify(REX), {
      headers: { 'Content-Type': type },
    });
    expect({ status, code }).toEqual({ status: 415, code: 'unsupported_media_type' });
    expect(message).toContain('Content-Type: application/json');
  });

  test('no Content-Type', async () => {
    const body = new TextEncoder().encode(JSON.stringify(REX));
    expect(await refusal(body, { headers: {} })).toMatchObject({ status: 415 });
  });

  test('a compressed body, with the encodings that are accepted', async () => {
    const body = Bun.gzipSync(JSON.stringify(REX));
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const { status, message } = await refusal(body, { headers });
    expect(status).toBe(415);
    expect(message).toContain('uncompressed');
    const response = await service.call('/pets', { method: 'POST', body, headers });
    expect(response.headers.get('accept-encoding')).toBe('identity');
  });

  test('and names encodings only if the body has the wrong one', async () => {
    const response = await service.post(REX, { headers: { 'Content-Type': 'text/plain' } });
    expect([response.status, response.headers.has('accept-encoding')]).toEqual([415, false]);
    const identity = await service.post(REX, { headers: { 'Content-Encoding': 'Identity' } });
    expect(identity.status).toBe(201);
  });
});

describe('a body of more than 64 KiB is 413 payload_too_large', () => {
  /** A pet of exactly this many bytes, padded with an unknown member. */
  function sized(bytes: number): string {
    const empty = '{"name":"Big","categoryId":1,"x":""}';
    return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
  }

  function chunked(text: string): ReadableStream {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(at, at + 10_000));
        at += 10_000;
      },
    });
  }

  test('64 KiB with Content-Length is accepted', async () => {
    expect((await service.post(sized(MAX_BODY_BYTES))).status).toBe(201);
  });

  test('64 KiB without Content-Length is accepted', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = chunked(sized(MAX_BODY_BYTES));
    expect((await service.call('/pets', { method: 'POST', body, headers })).status).toBe(201);
  });

  test('one byte more with Content-Length is refused', async () => {
    const { status, code, message } = await refusal(sized(MAX_BODY_BYTES + 1));
    expect({ status, code }).toEqual({ status: 413, code: 'payload_too_large' });
    expect(message).toContain('65536 bytes');
  });

  test('one byte more without Content-Length is refused', async () => {
    expect(await refusal(chunked(sized(MAX_BODY_BYTES + 1)))).toMatchObject({ status: 413 });
  });

  test('a Content-Length over the limit is refused before the body is sent', async () => {
    const head = [
      'POST /v1/pets HTTP/1.1',
      'Host: x',
      'Connection: close',
      'Content-Type: application/json',
      `Authorization: Bearer ${service.key.secret}`,
      'Content-Length: 900000000000',
    ];
    const response = await rawHttp(service.url, [`${head.join('\r\n')}\r\n\r\n{`]);
    expect(response).toStartWith('HTTP/1.1 413');
    expect(response).toContain('payload_too_large');
    expect(response.toLowerCase()).toContain('x-ratelimit-limit');
  });
});

test('a client that disconnects during its body adds no pet and is not logged as an internal error', async () => {
  const before = await petCount();
  const creation = await beginCreation(service.url, service.key.secret, '{"name":"Half"');
  const responsesBefore = service.observed.length;
  creation.disconnect();
  await eventually(() => service.observed.length > responsesBefore);
  expect(service.observed.at(-1)).toMatchObject({
    response: { status: 400, error: 'malformed_json' },
    call: { fault: undefined },
  });
  expect(await petCount()).toBe(before);
});

describe('a creation sent as raw bytes', () => {
  /** Sends a creation in one packet, with whatever follows its body, and waits for its end. */
  async function creation(headers: string, body: string): Promise<string> {
    const responsesBefore = service.observed.length;
    const received = await rawHttp(service.url, [
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key.secret}\r\n` +
        `Content-Type: application/json\r\n${headers}\r\n\r\n${body}`,
    ]);
    await eventually(() => service.observed.length > responsesBefore);
    return received;
  }
  const json = JSON.stringify(REX);
  const chunks = `${json.length.toString(16)}\r\n${json}\r\n0\r\n`;

  test('with announced trailers is 400 and adds no pet', async () => {
    const before = await petCount();
    const headers = 'Transfer-Encoding: chunked\r\nTrailer: X-Sum';
    const response = await creation(headers, `${chunks}X-Sum: 1\r\n\r\n`);
    expect(response).toStartWith('HTTP/1.1 400');
    // While we wait for Redis, the 400 of the runtime comes first.
    if (Bun.env['TEST_BACKEND'] !== 'shared') {
      expect(response).toContain('The header Trailer is not supported');
    }
    expect(await petCount()).toBe(before);
  });

  test.each([0, 200_000])(
    'with two equal lengths and %d spaces is 400 and adds no pet',
    async (spaces) => {
      const before = await petCount();
      const body = json + ' '.repeat(spaces);
      const length = `Content-Length: ${body.length}`;
      const response = await creation(`${length}\r\n${length}\r\nConnection: close`, body);
      expect(response).toStartWith('HTTP/1.1 400');
      expect(response).toContain('The header Content-Length must be sent only once.');
      expect(await petCount()).toBe(before);
    },
  );

  test('with trailers right behind its body adds no pet', async () => {
    const before = await petCount();
    await creation('Transfer-Encoding: chunked', `${chunks}X-Sum: 1\r\n\r\n`);
    expect(await petCount()).toBe(before);
  });

  test('with another request right behind its body adds no pet', async () => {
    const before = await petCount();
    const next = 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await creation(`Content-Length: ${json.length}`, json + next)).toBe('');
    expect(await petCount()).toBe(before);
  });
});

describe('Idempotency-Key', () => {
  const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  test('the same body gets the same response again, marked Idempotent-Replayed', async () => {
    const first = await service.post(REX, withKey('a-1'));
    const again = await service.post('{ "categoryId": 1.0, "name": "Rex" }', withKey('a-1'));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.status).toBe(201);
    expect(again.headers.get('location')).toBe(first.headers.get('location') ?? '');
    expect(await again.text()).toBe(await first.text());
  });

  test('a different body is 422 idempotency_key_reused and adds no pet', async () => {
    await service.post(REX, withKey('a-2'));
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'a-2' };
    const refused = await refusal('{"name":"Rex","categoryId":2}', { headers });
    expect(refused).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  test('a refused request does not use up its key', async () => {
    expect((await service.post({ name: '' }, withKey('a-3'))).status).toBe(400);
    expect((await service.post(REX, withKey('a-3'))).status).toBe(201);
  });

  test.each(['', 'a b', 'ä', 'x'.repeat(256)])(
    'the key %p is 400 invalid_parameter',
    async (key) => {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
      const { code, message } = await refusal(JSON.stringify(REX), { headers });
      expect(code).toBe('invalid_parameter');
      expect(message).toContain('Idempotency-Key must be 1 to 255 printable ASCII characters');
    },
  );

  test('200 keys sent 8 times each at the same time create 200 pets', async () => {
    const before = await petCount();
    const responses = await Promise.all(
      Array.from({ length: 1_600 }, (_, index) =>
        service.post(REX, withKey(`many-${index % 200}`)),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await petCount()).toBe(before + 200);
  });
});
