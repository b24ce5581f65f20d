import { expect, test } from 'bun:test';
import type { Pet, PetStore } from '../../src/domain/pet.ts';
import { KnownPets } from '../../src/memory/known-pets.ts';
import { Clock } from '../support/clock.ts';

const REX: Pet = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' };

/** Counts how often the store behind is asked. */
function watchedStore() {
  const animals = new Map([[1n, REX]]);
  const asked: bigint[] = [];
  const pets: PetStore = {
    getPet: async (id) => {
      asked.push(id);
      return animals.get(id);
    },
    listPets: async () => [...animals.values()],
    createPet: async (pet) => ({ pet: { ...pet, id: 2n }, replayed: false }),
  };
  return { animals, asked, pets };
}

test('an animal is read once, and again after a second', async () => {
  const clock = new Clock();
  const { animals, asked, pets } = watchedStore();
  const known = new KnownPets(pets, clock.now);
  for (let i = 0; i < 3; i++) expect(await known.getPet(1n)).toEqual(REX);
  expect(asked).toEqual([1n]);
  animals.delete(1n);
  clock.advance(1);
  expect(await known.getPet(1n)).toBeUndefined();
});

test('an animal that does not exist is asked for each time', async () => {
  const { asked, pets } = watchedStore();
  const known = new KnownPets(pets, new Clock().now);
  await known.getPet(7n);
  await known.getPet(7n);
  expect(asked).toEqual([7n, 7n]);
});

test('lists and creations go to the store', async () => {
  const { pets } = watchedStore();
  const known = new KnownPets(pets, new Clock().now);
  expect(await known.listPets({ limit: 20 })).toEqual([REX]);
  const { pet } = await known.createPet({ name: 'Tom', categoryId: 2n, status: 'sold' });
  expect(pet.id).toBe(2n);
});
