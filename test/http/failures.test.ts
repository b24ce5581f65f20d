import { expect, test } from 'bun:test';
import { rawHttp } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';
import { failureSuite, type Send } from './failure-suite.ts';

const REX = { name: 'Rex', categoryId: 1 };

/** One valid request to each operation. */
const listPets: Send = (service, options) => service.call('/pets', options);
const createPet: Send = (service, options) => service.post(REX, options);
const getPet: Send = async (service, options) => {
  const { pet } = await service.store.pets.createPet({
    name: 'Rex',
    categoryId: 1n,
    status: 'available',
  });
  return service.call(`/pets/${pet.id}`, options);
};

failureSuite('listPets', listPets);
failureSuite('createPet', createPet);
failureSuite('getPet', getPet);

test('a response has all headers of the API even when the limiter fails', async () => {
  const fault = new Error('a fault');
  const fail = () => {
    throw fault;
  };
  await using service = await startService({ replace: { limiter: { take: fail, peek: fail } } });
  const response = await service.call('/pets/1');
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: 'internal_error' });
  expect(response.headers.get('deprecation')).toBe('@1794614400');
  expect(response.headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(response.headers.get('x-ratelimit-limit')).toBe('60');
  expect(service.observed).toMatchObject([{ response: { status: 500 }, call: { fault } }]);
});

test('pipelined reads get their responses in order on one connection', async () => {
  if (Bun.env['TEST_BACKEND'] === 'shared') return;
  await using service = await startService();
  for (const name of ['Rex', 'Tom', 'Ada']) await service.post({ name, categoryId: 1 });
  const request = (path: string, connection = 'keep-alive') =>
    `GET /v1${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n` +
    `Authorization: Bearer ${service.key.secret}\r\n\r\n`;
  const paths = ['/pets/1', '/pets/2', '/pets?limit=1&after=2', '/pets/9'];
  const received = await rawHttp(service.url, [
    paths.map((path) => request(path)).join('') + request('/pets/3', 'close'),
  ]);
  const bodies = [...received.matchAll(/"name":"(\w+)"|"code":"(\w+)"/g)].map(
    ([, name, code]) => name ?? code,
  );
  expect(bodies).toEqual(['Rex', 'Tom', 'Ada', 'pet_not_found', 'Ada']);
});
