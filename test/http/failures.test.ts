import { expect, test } from 'bun:test';
import { startService } from '../support/service.ts';
import { failureSuite, type Send } from './failure-suite.ts';

const REX = { name: 'Rex', categoryId: 1 };

/** A request to each operation that succeeds when nothing stands against it. */
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

test('even where nothing can be told of limits, the answer is one of ours', async () => {
  const fault = new Error('a fault');
  const fail = () => {
    throw fault;
  };
  await using service = await startService({ replace: { limiter: { take: fail, peek: fail } } });
  const response = await fetch(`${service.url}/pets`);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: 'internal_error' });
  expect(service.answers).toMatchObject([{ reply: { status: 500 }, exchange: { fault } }]);
});
