import { afterAll, expect, test } from 'bun:test';
import { parseJson } from '../../src/domain/json.ts';
import { type NewPet, newPetToJson, type Pet, petToJson } from '../../src/domain/pet.ts';
import { amount } from '../support/long.ts';
import { newPets } from '../support/pets.ts';
import { startService } from '../support/service.ts';

const RANDOM_PETS = amount(200, 10_000);
const AT_ONCE = 200;

const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());

async function expectExact(pet: NewPet): Promise<void> {
  const created = await (await service.post(newPetToJson(pet))).text();
  const { id } = parseJson(created) as unknown as Pet;
  expect(created).toBe(petToJson({ id, ...pet }));
  expect(created).toContain(`"categoryId":${pet.categoryId},`);
  expect(await (await service.call(`/pets/${id}`)).text()).toBe(created);
  const listed = await service.call(`/pets?after=${id - 1n}&limit=1`);
  expect(await listed.text()).toBe(`[${created}]`);
}

test('random pets keep every digit and every field in create, get and list', async () => {
  for (let done = 0; done < RANDOM_PETS; done += AT_ONCE) {
    await Promise.all(newPets(AT_ONCE).map(expectExact));
  }
});
