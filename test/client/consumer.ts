import { AnimalStore, isApiError, type Pet, petFromJson, toJson } from '@animal-store/client';

/** Uses the package like a customer, on any runtime, and returns what it saw. */
export async function consume(baseUrl: string, apiKey: string, tag: string): Promise<string[]> {
  const store = new AnimalStore({ baseUrl, apiKey });
  const names: string[] = [];
  const rex: Pet = await store.createPet({
    name: `Rex ${tag}`,
    categoryId: 9223372036854775807n,
  });
  const more = [{ name: `Tom ${tag}`, categoryId: 7, status: 'sold' }] as const;
  for await (const { pet } of store.createPets(more)) names.push(`added ${pet.name}`);
  const after = rex.id - 1n;
  const { pets } = await store.listPets({ status: 'available', after, limit: 1 });
  // Other runtimes add pets to the same store.
  for await (const { name } of store.pets({ after, pageSize: 1 })) {
    if (name.endsWith(tag)) names.push(name);
  }
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 15 }, () => store.listPets({ signal })));
  return [
    `created ${rex.categoryId + 0n}`,
    `listed ${pets.map(({ id }) => id === rex.id)}`,
    `iterated ${names}`,
    `found ${petFromJson(toJson(await store.findPet(rex.id))).categoryId}`,
    `found ${await store.findPet(-1n)}`,
    await store.getPet(-1n).then(String, describe),
    // Deno would ask or fail here if the client read the environment without permission.
    await (async () => new AnimalStore({ baseUrl }))().then(String, String),
  ];
}

function describe(error: unknown) {
  return isApiError(error, 'pet_not_found')
    ? `${error.name} ${error.status} of ${error.operation}`
    : `unexpected: ${error}`;
}
