import { afterAll, describe, expect, test } from 'bun:test';
import { beginCreation } from '../support/http.ts';
import { exactBody, REX, startService } from '../support/service.ts';
import { eventually } from '../support/time.ts';

const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());

async function petCount() {
  return (await service.store.pets.listPets({ limit: 1_000_000 })).length;
}

/** Posts a body that must be refused, and returns the error. */
async function refusal(
  body: unknown,
  headers?: Record<string, string>,
): Promise<{ status: number; code: string; message: string }> {
  const before = await petCount();
  const response = await service.post(body, headers && { headers });
  expect(await petCount()).toBe(before);
  return (await response.json()) as { status: number; code: string; message: string };
}

describe('a created pet', () => {
  test('is returned with 201, its Location and all its fields, unchanged', async () => {
    const name = '  Zoë 👩‍👩‍👧 "q" \\ \u2028 ';
    const response = await service.post({ name, categoryId: 9, status: 'pending' });
    expect(response.status).toBe(201);
    const pet = (await exactBody(response)) as { id: bigint };
    expect<object>(pet).toEqual({ id: pet.id, name, categoryId: 9n, status: 'pending' });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`${service.url}/pets/${pet.id}`);
    expect(await exactBody(await service.call(`/pets/${pet.id}`))).toEqual(pet);
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

test('a body with invalid values is 400 validation_failed and states every rule', async () => {
  const { message, ...error } = await refusal({ name: '', categoryId: 1.5, status: 1 });
  expect(error).toEqual({ status: 400, code: 'validation_failed' });
  expect(message).toStartWith(NAME_RULE);
  expect(message).toContain(`; ${CATEGORY_RULE}; ${STATUS_RULE}`);
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

  test('a refused request does not use up its key', async () => {
    expect((await service.post({ name: '' }, withKey('a-3'))).status).toBe(400);
    expect((await service.post(REX, withKey('a-3'))).status).toBe(201);
  });

  test.each(['', 'a b', 'ä', 'x'.repeat(256)])(
    'the key %p is 400 invalid_parameter',
    async (key) => {
      const { code, message } = await refusal(REX, { 'Idempotency-Key': key });
      expect(code).toBe('invalid_parameter');
      expect(message).toContain('Idempotency-Key must be 1 to 255 printable ASCII characters');
    },
  );
});
