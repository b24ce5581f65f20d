import { afterAll, expect, test } from 'bun:test';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { parseJson } from '../../src/domain/json.ts';
import { type NewPet, newPetToJson, type Pet, petToJson } from '../../src/domain/pet.ts';
import { amount } from '../support/long.ts';
import { newPets } from '../support/pets.ts';
import { startService } from '../support/service.ts';

const RANDOM_PETS = amount(200, 10_000);
const AT_ONCE = 200;

const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());

function edgeValues(): bigint[] {
  const middle = 2n ** 53n;
  const around = [middle - 1n, middle, middle + 1n].flatMap((value) => [value, -value]);
  return [...around, INT64_MIN, INT64_MIN + 1n, INT64_MAX - 1n, INT64_MAX, 0n, -1n, 1n];
}

async function expectExact(pet: NewPet): Promise<void> {
  const created = await (await service.post(newPetToJson(pet))).text();
  const { id } = parseJson(created) as unknown as Pet;
  expect(created).toBe(petToJson({ id, ...pet }));
  expect(created).toContain(`"categoryId":${pet.categoryId},`);
  expect(await (await service.call(`/pets/${id}`)).text()).toBe(created);
  const listed = await service.call(`/pets?after=${id - 1n}&limit=1`);
  expect(await listed.text()).toBe(`[${created}]`);
}

test('the limits of int64 and of double precision keep every digit in create, get and list', async () => {
  for (const categoryId of edgeValues()) {
    await expectExact({ name: 'Int', categoryId, status: 'sold' });
  }
});

test('random pets keep every digit and every field in create, get and list', async () => {
  for (let done = 0; done < RANDOM_PETS; done += AT_ONCE) {
    await Promise.all(newPets(AT_ONCE).map(expectExact));
  }
});
