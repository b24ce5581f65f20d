import { check } from './check.ts';
import { attempt, CheckFailed, NotCheckable } from './check-error.ts';
import { expectArray, expectClientError, expectStatus, expectSuccess } from './expectations.ts';
import {
  DEFAULT_LIMIT,
  firstPage,
  largestPage,
  MAX_LIMIT,
  petsIn,
  requirePetCount,
  requirePets,
} from './lists.ts';
import { describe, fieldOf, idOf, PET_STATUSES, type PetStatus } from './pet.ts';
import { listPetsRequest } from './requests.ts';
import { isSuccess, type RoundTrip } from './round-trip.ts';
import { addSamples } from './samples.ts';
import { expectFound, findSamples, followNext } from './search.ts';
import type { Session } from './session.ts';

/** The filter whose pages are checked. Two samples have it. */
const FILTER = 'pending';
const FILTERED_PAGE = `?status=${FILTER}&limit=1`;
const MAX_TRIES = 3;

/** The samples that every service must list. Others are special. */
const ORDINARY = ['plain', ...PET_STATUSES] as const;

export const LIST_PETS = [
  check('listPets.listed', 'listPets returns 200', async (session) => {
    expectStatus(await session.sendCached(listPetsRequest()), 200);
  }),
  check('listPets.array', 'The body is a bare array', async (session) => {
    const listed = await session.sendCached(listPetsRequest());
    expectArray(isSuccess(listed) ? listed : await firstPage(session));
  }),
  check('listPets.contains', 'The list contains added pets, unchanged', async (session) => {
    expectFound(await findSamples(session), await addSamples(session, ORDINARY));
  }),
  check(
    'listPets.paginated',
    'The list has pages, and the next page has other pets',
    async (session) => {
      await requireSecondPage(session);
      let pages = 0;
      for (const query of ['?limit=10', FILTERED_PAGE]) {
        if (await hasOtherPetsNext(session, query)) pages++;
      }
      if (pages > 0) return;
      throw new NotCheckable('The response links no next page, and the contract requires no link.');
    },
  ),
  check('listPets.limit.default', 'The default limit is 20', async (session) => {
    await requireSecondPage(session);
    await expectLength(session, await session.send(listPetsRequest()), DEFAULT_LIMIT);
  }),
  check(
    'listPets.limit.number',
    'A page has as many pets as limit says, filtered or not',
    async (session) => {
      for (const limit of [2, 19]) await expectPage(session, limit);
      const filtered = await session.sendCached(listPetsRequest(FILTERED_PAGE));
      const { length } = petsIn(filtered) ?? [];
      if (length > 1) throw new CheckFailed('1 pet', `${length}`, filtered);
    },
  ),
  check('listPets.limit.minimum', 'limit can be 1', (session) => expectPage(session, 1)),
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
      let checked = 0;
      for (const status of PET_STATUSES) {
        const listed = await firstPage(session, `&status=${status}`);
        expectSuccess(listed);
        checked += expectOnlyStatus(status, listed);
        if (petsIn(listed)?.length === 0 && (await hasShown(session, status))) {
          throw new CheckFailed(`pets with status ${status}`, 'none', listed);
        }
      }
      const filtered = await session.sendCached(listPetsRequest(FILTERED_PAGE));
      const next = await followNext(session, filtered);
      if (next !== undefined) checked += expectOnlyStatus(FILTER, next);
      if (checked === 0) throw new NotCheckable('No pet has a status: see states.supplied.');
    },
  ),
  check(
    'listPets.status.optional',
    'Without the filter, the list has pets of every status',
    async (session) => {
      const page = await firstPage(session);
      const search = await attempt(() => findSamples(session));
      const samples = [...(search?.found.values() ?? [])].filter(
        ({ shownBy }) => !shownBy.request.path.includes('status='),
      );
      const listed = [...requirePets(page), ...samples.map(({ pet }) => pet)];
      if (new Set(listed.map((pet) => fieldOf(pet, 'status'))).size > 1) return;
      if (search === undefined || search.gaveUp !== undefined || !(await hasTwoStatuses(session))) {
        throw new NotCheckable('All pets that the list shows have the same status.');
      }
      throw new CheckFailed('pets with different statuses', 'one status only', search.lastPage);
    },
  ),
  check('listPets.status.values', 'An unknown status in the filter is rejected', (session) =>
    expectRejected(session, '?status=lost'),
  ),
  check('listPets.limit.maximum', 'limit can be 100', async (session) => {
    await largestPage(session);
    const request = listPetsRequest(`?limit=${MAX_LIMIT}`);
    expectSuccess(await session.sendCached(request));
    await requirePetCount(session, MAX_LIMIT);
    await expectLength(session, await session.send(request), MAX_LIMIT);
  }),
];

/** Makes sure that the store has more pets than the default page. */
function requireSecondPage(session: Session): Promise<void> {
  return session.cached('a second page', () => requirePetCount(session, DEFAULT_LIMIT + 1));
}

async function expectPage(session: Session, limit: number): Promise<void> {
  await requireSecondPage(session);
  const listed = await session.send(listPetsRequest(`?limit=${limit}`));
  expectSuccess(listed);
  await expectLength(session, listed, limit);
}

async function expectLength(session: Session, listed: RoundTrip, expected: number): Promise<void> {
  const { length } = requirePets(listed);
  if (length === expected) return;
  if (length < expected) await requireAllListed(session);
  throw new CheckFailed(`${expected} pets`, `${length}`, listed);
}

/** If the list leaves out pets, a short page says nothing about the limit. */
async function requireAllListed(session: Session): Promise<void> {
  const search = await attempt(() => findSamples(session));
  if (search === undefined || search.gaveUp !== undefined) return;
  const samples = await addSamples(session, ORDINARY);
  if (samples.some((sample) => !search.found.has(sample))) {
    throw new NotCheckable('The list leaves out pets: see listPets.contains.');
  }
}

/** False if there is no link to a next page. Other clients may add pets between two requests. */
async function hasOtherPetsNext(session: Session, query: string): Promise<boolean> {
  let first = await session.send(listPetsRequest(query));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const next = await followNext(session, first);
    if (next === undefined) return false;
    expectSuccess(next);
    const seen = idsOn(first);
    const repeated = idsOn(next).find((id) => seen.includes(id));
    if (requirePets(next).length > 0 && repeated === undefined) return true;
    first = await session.send(listPetsRequest(query));
    if (idsOn(first).join() !== seen.join()) continue;
    const got = repeated === undefined ? 'none' : `pet ${repeated} again`;
    throw new CheckFailed('pets that are not on the first page', got, next);
  }
  throw new NotCheckable('Other clients keep changing the first page.');
}

function idsOn(page: RoundTrip): string[] {
  return requirePets(page).map((pet) => String(idOf(pet)));
}

/** Returns how many pets the list has. */
function expectOnlyStatus(status: PetStatus, listed: RoundTrip): number {
  const pets = requirePets(listed);
  const other = pets.find((pet) => fieldOf(pet, 'status') !== status);
  if (other === undefined) return pets.length;
  const got = `one with status ${describe(fieldOf(other, 'status'))}`;
  throw new CheckFailed(`pets with status ${status}`, got, listed);
}

/** Tells if createPet returned a pet with that status. */
async function hasShown(session: Session, status: PetStatus): Promise<boolean> {
  const samples = (await attempt(() => addSamples(session))) ?? [];
  return samples.some(({ created }) => fieldOf(created.response.json, 'status') === status);
}

async function hasTwoStatuses(session: Session): Promise<boolean> {
  const shown = await Promise.all(PET_STATUSES.map((status) => hasShown(session, status)));
  return shown.filter(Boolean).length > 1;
}

async function expectRejected(session: Session, ...queries: string[]): Promise<void> {
  for (const query of queries) expectClientError(await session.sendCached(listPetsRequest(query)));
}
