import { AnimalStore, isApiError, type Pet } from '@animal-store/client';

/** Uses the package like a customer, on any runtime, and returns what it saw. */
export async function consume(baseUrl: string, apiKey: string): Promise<string[]> {
  const store = new AnimalStore({ baseUrl, apiKey });
  const rex: Pet = await store.createPet({ name: 'Rex', categoryId: 9223372036854775807n });
  await store.createPet({ name: 'Tom', categoryId: 7, status: 'sold' });
  const { pets, next } = await store.listPets({ status: 'available', limit: 1 });
  const names: string[] = [];
  for await (const pet of store.pets({ pageSize: 1 })) names.push(pet.name);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 15 }, () => store.listPets({ signal })));
  return [
    `created ${rex.categoryId + 0n}`,
    `listed ${pets.map(({ id }) => id === rex.id)}, next ${next}`,
    `iterated ${names}`,
    await store.getPet(-1n).then(String, describe),
  ];
}

function describe(error: unknown): string {
  return isApiError(error, 'pet_not_found')
    ? `${error.name} ${error.status} of ${error.operation}`
    : `unexpected: ${error}`;
}
