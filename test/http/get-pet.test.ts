import { describe, expect, test } from 'bun:test';
import { parseBrownouts } from '#domain/brownout.ts';
import type { Pet } from '#domain/pet.ts';
import { exactBody, expectCode, REX, startServiceForAll } from '../support/service.ts';
import { Clock } from '../support/time.ts';

const service = await startServiceForAll();
const rex = (await exactBody(await service.post(REX))) as Pet;

describe('one pet', () => {
  test('is found by its id, percent-encoded or not', async () => {
    for (const id of ['1', '%31']) {
      const response = await service.call(`/pets/${id}`);
      expect(response.status).toBe(200);
      expect(await exactBody(response)).toEqual(rex);
    }
  });

  test.each(['2', '9223372036854775808', 'abc', '1%00', '%zz'])(
    '%s is 404 pet_not_found',
    async (id) => {
      const response = await service.call(`/pets/${id}`);
      await expectCode(response, 'pet_not_found');
    },
  );
});

// Every response of getPet must have the headers, since the document requires them.
test('the deprecation of getPet is announced with its dates, its successor and a page', async () => {
  const { headers } = await service.call('/pets/1');
  expect(headers.get('deprecation')).toBe('@1794614400');
  expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  const announcement = new URL('/docs/changes#deprecations', service.url);
  expect(headers.get('link')).toStartWith(
    `<${service.url}/pets>; rel="successor-version", <${announcement}>; rel="deprecation"`,
  );
});

const brownouts = parseBrownouts('2027-01-15T12:00Z/15m', Date.UTC(2030, 11, 5));
const clock = new Clock();
const during = await startServiceForAll({ clock, replace: { brownouts } });
await during.post(REX);

describe('a brownout of getPet', () => {
  test('has the code and the headers of the removal, and says when it ends', async () => {
    clock.set('2027-01-15T12:14:58.001Z');
    const response = await during.call('/pets/1');
    await expectCode(
      response,
      'operation_removed',
      'is in a brownout until 2027-01-15T12:15:00Z, before its removal on 2030-12-05. Use GET',
    );
    expect(response.headers.get('retry-after')).toBe('2');
    clock.set('2027-01-15T12:15:00Z');
    expect((await during.call('/pets/1')).status).toBe(200);
  });

  test('does not affect other operations, and Location then leads to the list', async () => {
    clock.set('2027-01-15T12:05:00Z');
    const created = await during.post({ name: 'Tom', categoryId: 1 });
    const location = created.headers.get('location') ?? '';
    const found = await during.call(location.slice(during.url.length));
    expect(await exactBody(found)).toEqual([await exactBody(created)]);
  });
});
