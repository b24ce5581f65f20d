import { NotCheckable } from './check-error.ts';
import { isInt64, isObject, type Json } from './exact-json.ts';
import { wholeNumber } from './headers.ts';
import type { ApiRequest, RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

/** The API cannot remove pets, so their name says where they come from. */
export const NAME = 'conformance-check';

/** Up to this many pets are added with any key, more only with requests to spare. */
const FEW_PETS = 25;
const SPARE_REQUESTS = 50;

const NO_PET = 'This check needs a pet, and none could be added: see createPet.created.';

/** A valid createPet request, with some fields changed. */
export function createPetRequest(changes: object = {}): ApiRequest {
  return createPetRequestWith(JSON.stringify({ name: NAME, categoryId: 1, ...changes }));
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

/** Adds a pet for a check that is not about createPet. */
export async function addPet(session: Session, changes: object = {}): Promise<RoundTrip> {
  const added = await session.sendCached(createPetRequest(changes));
  if (added.response.status === 201 && isObject(added.response.json)) return added;
  throw new NotCheckable(NO_PET);
}

/** The id in a response, for a check that is not about the id. */
export function requireId({ response }: RoundTrip): bigint {
  const id = idOf(response.json ?? null);
  if (isInt64(id)) return id;
  throw new NotCheckable('This check needs the id of a pet, and got none: see resources.pet.id.');
}

export function idOf(pet: Json): Json | undefined {
  return isObject(pet) ? pet['id'] : undefined;
}

/** The pets in a list, for a check that is not about the list's shape. */
export function requirePets({ response }: RoundTrip): readonly Json[] {
  if (response.status === 200 && Array.isArray(response.json)) return response.json;
  throw new NotCheckable(
    'This check needs a list, and got none: see listPets.listed and listPets.array.',
  );
}

/** Adds as few pets as it takes for the deployment to have `count`. */
export async function requirePetCount(session: Session, count: number): Promise<void> {
  const { response } = await session.send(listPetsRequest('?limit=100'));
  const missing = count - (Array.isArray(response.json) ? response.json.length : 0);
  const remaining = wholeNumber(response, 'x-ratelimit-remaining') ?? 0;
  if (missing > FEW_PETS && missing + SPARE_REQUESTS > remaining) {
    throw new NotCheckable(
      `This check needs ${missing} more pets, and the key has only ${remaining} requests left.`,
    );
  }
  for (let i = 0; i < missing; i++) {
    const added = await session.send(createPetRequest());
    if (added.response.status !== 201) throw new NotCheckable(NO_PET);
  }
}

/** All pets that this run has added. */
export function addedPets({ roundTrips }: Session): readonly RoundTrip[] {
  return roundTrips.filter(
    ({ request, response }) => request.method === 'POST' && response.status === 201,
  );
}
