import { check } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { isObject, type Json } from './exact-json.ts';
import {
  describe,
  expectArray,
  expectClientError,
  expectStatus,
  PET_STATUSES,
  type PetStatus,
} from './expectations.ts';
import { expectListed, followNext } from './pages.ts';
import { addPet, idOf, listPetsRequest, requirePetCount, requirePets } from './pets.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** The filter whose pages are checked. */
const FILTER = 'pending';

export const LIST_PETS = [
  check('listPets.listed', 'listPets returns 200', async (session) => {
    expectStatus(await session.sendCached(listPetsRequest()), 200);
  }),
  check('listPets.array', 'The body is a bare array', async (session) => {
    expectArray(await session.sendCached(listPetsRequest()));
  }),
  check('listPets.contains', 'The list contains added pets, unchanged', async (session) => {
    const added = [await addPet(session), ...(await addPetOfEachStatus(session))];
    await expectListed(session, '', added);
  }),
  check(
    'listPets.paginated',
    'The list has pages, and the next page has other pets',
    async (session) => {
      await expectOtherPetsNext(session, await listWithSecondPage(session, '?limit=10'));
      await expectOtherPetsNext(session, await filteredPage(session));
    },
  ),
  check('listPets.limit.default', 'The default limit is 20', (session) =>
    expectPage(session, '', DEFAULT_LIMIT),
  ),
  check(
    'listPets.limit.number',
    'A page has as many pets as limit says, filtered or not',
    async (session) => {
      for (const limit of [2, 19]) await expectPage(session, `?limit=${limit}`, limit);
      const filtered = await filteredPage(session);
      const { length } = requirePets(filtered);
      if (length > 1) throw new CheckFailed('1 pet', `${length}`, filtered);
    },
  ),
  check('listPets.limit.minimum', 'limit can be 1', (session) =>
    expectPage(session, '?limit=1', 1),
  ),
  check('listPets.limit.belowMinimum', 'A limit below 1 is rejected', (session) =>
    expectRejected(session, '?limit=0', '?limit=-1'),
  ),
  check('listPets.limit.aboveMaximum', 'A limit above 100 is rejected', (session) =>
    expectRejected(session, `?limit=${MAX_LIMIT + 1}`),
  ),
  check('listPets.limit.integer', 'A limit that is not an integer is rejected', (session) =>
    expectRejected(session, '?limit=abc', '?limit=1.5'),
  ),
  check(
    'listPets.status.filter',
    'The status filter returns pets with that status only',
    async (session) => {
      await addPetOfEachStatus(session);
      for (const status of PET_STATUSES) {
        const request = listPetsRequest(`?status=${status}&limit=100`);
        expectOnlyStatus(status, await session.sendCached(request));
      }
      const next = await followNext(session, await filteredPage(session));
      if (next !== undefined) expectOnlyStatus(FILTER, next);
    },
  ),
  check(
    'listPets.status.optional',
    'Without the filter, the list has pets of every status',
    async (session) => {
      await addPetOfEachStatus(session);
      const listed = await session.send(listPetsRequest('?limit=100'));
      const pets = requirePets(listed);
      if (new Set(pets.map(statusOf)).size > 1) return;
      if (pets.length === MAX_LIMIT) {
        throw new NotCheckable('The first 100 pets have the same status.');
      }
      throw new CheckFailed('pets with different statuses', 'one status only', listed);
    },
  ),
  check('listPets.status.values', 'An unknown status in the filter is rejected', (session) =>
    expectRejected(session, '?status=lost'),
  ),
  check('listPets.limit.maximum', 'limit can be 100', async (session) => {
    const request = listPetsRequest(`?limit=${MAX_LIMIT}`);
    expectStatus(await session.sendCached(request), 200);
    await requirePetCount(session, MAX_LIMIT);
    expectLength(await session.send(request), MAX_LIMIT);
  }),
];

/** Lists a store that has more pets than the default page. */
async function listWithSecondPage(session: Session, query: string): Promise<RoundTrip> {
  await session.cached('a second page', () => requirePetCount(session, DEFAULT_LIMIT + 1));
  return session.send(listPetsRequest(query));
}

/** The first page of a filtered list that has a second one. */
async function filteredPage(session: Session): Promise<RoundTrip> {
  for (const categoryId of [1, 2]) await addPet(session, { status: FILTER, categoryId });
  return session.sendCached(listPetsRequest(`?status=${FILTER}&limit=1`));
}

async function addPetOfEachStatus(session: Session): Promise<RoundTrip[]> {
  const added: RoundTrip[] = [];
  for (const status of PET_STATUSES) added.push(await addPet(session, { status }));
  return added;
}

async function expectOtherPetsNext(session: Session, first: RoundTrip): Promise<void> {
  const next = await followNext(session, first);
  if (next === undefined) {
    throw new NotCheckable('The response links no next page, and the contract requires no link.');
  }
  expectStatus(next, 200);
  const seen = requirePets(first).map(idOf);
  const pets = expectArray(next);
  const repeated = pets.find((pet) => seen.includes(idOf(pet)));
  if (pets.length > 0 && repeated === undefined) return;
  const got = repeated === undefined ? 'none' : `pet ${describe(idOf(repeated))} again`;
  throw new CheckFailed('pets that are not on the first page', got, next);
}

function expectOnlyStatus(status: PetStatus, listed: RoundTrip): void {
  expectStatus(listed, 200);
  const pets = expectArray(listed);
  const other = pets.find((pet) => statusOf(pet) !== status);
  if (pets.length > 0 && other === undefined) return;
  const got = other === undefined ? 'none' : `one with status ${describe(statusOf(other))}`;
  throw new CheckFailed(`pets with status ${status}`, got, listed);
}

async function expectPage(session: Session, query: string, length: number): Promise<void> {
  const listed = await listWithSecondPage(session, query);
  expectStatus(listed, 200);
  expectLength(listed, length);
}

function expectLength(listed: RoundTrip, expected: number): void {
  const { length } = expectArray(listed);
  if (length !== expected) throw new CheckFailed(`${expected} pets`, `${length}`, listed);
}

async function expectRejected(session: Session, ...queries: string[]): Promise<void> {
  for (const query of queries) expectClientError(await session.sendCached(listPetsRequest(query)));
}

function statusOf(pet: Json): Json | undefined {
  return isObject(pet) ? pet['status'] : undefined;
}
