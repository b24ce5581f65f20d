import { NotCheckable, needed } from './check-error.ts';
import { isObject, type Json } from './exact-json.ts';
import { wholeNumber } from './headers.ts';
import { createPetRequest, listPetsRequest } from './requests.ts';
import { isSuccess, type RoundTrip } from './round-trip.ts';
import { acceptedFields } from './samples.ts';
import type { Session } from './session.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** Up to this many pets are added with any key, more only with requests to spare. */
const FEW_PETS = 25;
/** Requests that the rest of the run needs. */
export const SPARE_REQUESTS = 60;

/** The pets in a list, also if the list is inside an object. Undefined if there is no list. */
export function petsIn(roundTrip: RoundTrip): readonly Json[] | undefined {
  if (!isSuccess(roundTrip)) return undefined;
  const { json } = roundTrip.response;
  return [json, ...(isObject(json) ? Object.values(json) : [])].find((part) => Array.isArray(part));
}

/** The same, for a check that is not about the list's shape. */
export function requirePets(roundTrip: RoundTrip): readonly Json[] {
  const pets = petsIn(roundTrip);
  if (pets !== undefined) return pets;
  throw new NotCheckable(
    'This check needs a list, and got none: see listPets.listed and listPets.array.',
  );
}

/** The largest first page that the service returns, filtered or not. */
export async function firstPage(session: Session, filter = ''): Promise<RoundTrip> {
  const { query } = await largestPage(session);
  return needed('listPets.listed', () => session.send(listPetsRequest(`?${query}${filter}`)));
}

/** How to ask for that page. Without `limit` if the service refuses the maximum. */
export function largestPage(session: Session) {
  return session.cached('the largest page', async () => {
    for (const { query, size } of [
      { query: `limit=${MAX_LIMIT}`, size: MAX_LIMIT },
      { query: '', size: DEFAULT_LIMIT },
    ]) {
      const request = listPetsRequest(`?${query}`);
      const list = await needed('listPets.listed', () => session.sendCached(request));
      if (petsIn(list) !== undefined) return { query, size };
    }
    throw new NotCheckable('This check needs a list, and got none: see listPets.listed.');
  });
}

/** Adds as few pets as it takes for the deployment to have `count`. */
export async function requirePetCount(session: Session, count: number): Promise<void> {
  const page = await firstPage(session);
  const missing = count - requirePets(page).length;
  if (missing <= 0) return;
  const fields = await acceptedFields(session);
  const remaining = wholeNumber(page.response, 'x-ratelimit-remaining') ?? 0;
  const isPoor = !session.hasClocks && missing + SPARE_REQUESTS > remaining;
  if (missing > FEW_PETS && isPoor) {
    throw new NotCheckable(
      `This check needs ${missing} more pets, and the key has only ${remaining} requests left.`,
    );
  }
  for (let i = 0; i < missing; i++) {
    const added = await needed('createPet.created', () => session.send(createPetRequest(fields)));
    if (!isSuccess(added)) {
      throw new NotCheckable('This check needs more pets: see createPet.created.');
    }
  }
}
