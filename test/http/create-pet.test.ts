import { describe, expect, test } from 'bun:test';
import { beginCreation } from '../support/http.ts';
import { exactBody, expectCode, REX, startServiceForAll } from '../support/service.ts';
import { eventually } from '../support/time.ts';

const service = await startServiceForAll();

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

test('a body with invalid values is 400 validation_failed and states every rule', async () => {
  const response = await service.post({ name: '', categoryId: 1.5, status: 1 });
  await expectCode(
    response,
    'validation_failed',
    /^name must be .* of 1 to 255 .*; categoryId must be .*; status must be one of \w+, \w+, \w+\.$/,
  );
});

test('a client that disconnects during its body adds no pet and is not logged as an internal error', async () => {
  const { listPets } = service.store.pets;
  const before = await listPets({ limit: 1_000 });
  const creation = await beginCreation(service.url, service.key.secret, '{"name":"Half"');
  const responsesBefore = service.observed.length;
  creation.disconnect();
  await eventually(() => service.observed.length > responsesBefore);
  expect(service.observed.at(-1)).toMatchObject({
    response: { status: 400, error: 'malformed_json' },
    call: { fault: undefined },
  });
  expect(await listPets({ limit: 1_000 })).toEqual(before);
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

  test('a refused request does not use up its key', async () => {
    expect((await service.post({ name: '' }, withKey('a-3'))).status).toBe(400);
    expect((await service.post(REX, withKey('a-3'))).status).toBe(201);
  });

  test.each(['', 'a b', 'ä', 'x'.repeat(256)])(
    'the key %p is 400 invalid_parameter',
    async (key) => {
      const response = await service.post(REX, withKey(key));
      const rule = 'Idempotency-Key must be 1 to 255 printable ASCII';
      await expectCode(response, 'invalid_parameter', rule);
    },
  );
});
