import type { ApiRequest } from './round-trip.ts';

/** The API cannot remove pets, so their names begin with where they come from. */
export const NAME = 'conformance-check';

/** A valid createPet request, with some fields changed. */
export function createPetRequest(changes: object = {}): ApiRequest {
  const fields = { name: NAME, categoryId: 1, ...changes };
  return createPetRequestWith(JSON.stringify(fields, exactInteger));
}

export function createPetRequestWith(body: string): ApiRequest {
  return { method: 'POST', path: '/pets', body };
}

export function getPetRequest(id: bigint | string): ApiRequest {
  return { method: 'GET', path: `/pets/${id}` };
}

export function listPetsRequest(query = ''): ApiRequest {
  return { method: 'GET', path: `/pets${query}` };
}

function exactInteger(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}
