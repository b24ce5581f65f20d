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
