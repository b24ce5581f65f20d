import { afterAll, describe, expect, test } from 'bun:test';
import { MAX_BODY_BYTES } from '../../src/contract/api.ts';
import { beginCreation } from '../support/begin-creation.ts';
import { eventually } from '../support/command.ts';
import { rawHttp } from '../support/raw-http.ts';
import { type CallOptions, exactJson, startService } from '../support/service.ts';

const REX = { name: 'Rex', categoryId: 1 };

const service = await startService();
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
  test('is returned with 201, its Location and all its fields, unchanged', async () => {
    const name = '  Zoë 👩‍👩‍👧 "q" \\ \u2028 ';
    const response = await service.post({ name, categoryId: 9, status: 'pending' });
    expect(response.status).toBe(201);
    const pet = (await exactJson(response)) as { id: bigint };
    expect<object>(pet).toEqual({ id: pet.id, name, categoryId: 9n, status: 'pending' });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`${service.url}/pets/${pet.id}`);
    expect(await exactJson(await service.call(`/pets/${pet.id}`))).toEqual(pet);
  });

  test('can be sent as JSON with a charset, a byte order mark and unknown fields', async () => {
    const body = '\ufeff{"name":"Rex","categoryId":1.0,"color":"black","id":77}';
    for (const type of [
      'Application/JSON; charset="UTF-8"',
      'application/json;charset=utf-8; profile=a',
      'application/json; profile="charset"',
    ]) {
      const headers = { 'Content-Type': type, 'Content-Encoding': 'Identity' };
      const response = await service.post(body, { headers });
      expect(response.status).toBe(201);
      expect(await response.json()).not.toMatchObject({ id: 77 });
    }
  });
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
  test.each([
    ['both missing', '{}', 'name is required; categoryId is required'],
    ['a number as name', anyName('7'), NAME_RULE],
    ['an empty name', anyName('""'), NAME_RULE],
    ['a string as categoryId', anyCategory('"7"'), CATEGORY_RULE],
    ['a fraction as categoryId', anyCategory('7.5'), CATEGORY_RULE],
    ['a categoryId one above the maximum', anyCategory('9223372036854775808'), CATEGORY_RULE],
    ['an unknown status', anyStatus('"lost"'), STATUS_RULE],
    [
      'all three invalid',
      '{"name":"","categoryId":1.5,"status":1}',
      `; ${CATEGORY_RULE}; ${STATUS_RULE}`,
    ],
    ['an array as body', '[]', OBJECT_RULE],
  ])('%s', async (_, body, rule) => {
    const { status, code, message } = await refusal(body);
    expect({ status, code }).toEqual({ status: 400, code: 'validation_failed' });
    expect(message).toContain(rule);
  });
});

describe('a body that is not JSON is 400 malformed_json', () => {
  test.each([
    ['an empty body', '', 'The body is empty'],
    ['an incomplete object', '{"name":"Rex"', 'expected "," or "}"'],
    ['endless nesting', '['.repeat(30_000), 'The body is nested deeper than 64 levels.'],
    ['very many values', `[${'1,'.repeat(30_000)}1]`, 'The body has more than 500 values.'],
  ])('%s', async (_, body, rule) => {
    const { status, code, message } = await refusal(body);
    expect({ status, code }).toEqual({ status: 400, code: 'malformed_json' });
    expect(message).toContain(rule);
  });

  test('bytes that are not UTF-8', async () => {
    const { code, message } = await refusal(Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]));
    expect(code).toBe('malformed_json');
    expect(message).toContain('not valid UTF-8');
  });
});

describe('a body that is not declared as JSON is 415 unsupported_media_type', () => {
  test.each([
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=latin1',
    '',
  ])('%p', async (type) => {
    const { status, code, message } = await refusal(JSON.stringify(REX), {
      headers: { 'Content-Type': type },
    });
    expect({ status, code }).toEqual({ status: 415, code: 'unsupported_media_type' });
    expect(message).toContain('Content-Type: application/json');
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

  test.each([
    ['with', sized],
    ['without', (bytes: number) => chunked(sized(bytes))],
  ])('64 KiB %s Content-Length are accepted, and one byte more is refused', async (_, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const options = { method: 'POST', body: body(MAX_BODY_BYTES), headers };
    expect((await service.call('/pets', options)).status).toBe(201);
    const { status, code, message } = await refusal(body(MAX_BODY_BYTES + 1));
    expect({ status, code }).toEqual({ status: 413, code: 'payload_too_large' });
    expect(message).toContain('65,536 bytes');
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

  test('with two equal lengths is 400 and adds no pet', async () => {
    const before = await petCount();
    const length = `Content-Length: ${json.length}`;
    const response = await creation(`${length}\r\n${length}\r\nConnection: close`, json);
    expect(response).toStartWith('HTTP/1.1 400');
    expect(response).toContain('The header Content-Length must be sent only once.');
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

  test('many requests at once add one pet, and all get it', async () => {
    const before = await petCount();
    const requests = Array.from({ length: 20 }, () => service.post(REX, withKey('at-once')));
    const responses = await Promise.all(requests);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    const bodies = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(await petCount()).toBe(before + 1);
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
});
