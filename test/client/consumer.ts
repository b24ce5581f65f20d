import { AnimalStore, ApiError, type ErrorCode, type Pet } from 'animal-store/client';

/** What a user of the package does. Runs wherever the client does, and says what came of it. */
export async function consume(baseUrl: string, apiKey: string): Promise<string[]> {
  const store = new AnimalStore({ baseUrl, apiKey });
  const rex: Pet = await store.createPet({ name: 'Rex', categoryId: 9223372036854775807n });
  await store.createPet({ name: 'Tom', categoryId: 7, status: 'sold' });
  const { pets, next } = await store.listPets({ status: 'available', limit: 1 });
  const names: string[] = [];
  for await (const pet of store.pets({ pageSize: 1 })) names.push(pet.name);
  return [
    `created ${rex.categoryId + 0n}`,
    `listed ${pets.map(({ id }) => id === rex.id)}, next ${next}`,
    `iterated ${names}`,
    await store.getPet(-1n).then(String, describe),
  ];
}

function describe(error: unknown): string {
  const missing: ErrorCode<'getPet'> = 'pet_not_found';
  return error instanceof ApiError && error.code === missing
    ? `${error.name} ${error.status} of ${error.operation}`
    : `not expected: ${error}`;
}
