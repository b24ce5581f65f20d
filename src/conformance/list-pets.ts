import { addedAnimal, animalsOf, idIn, listing, requireStock } from './animals.ts';
import type { Section } from './check.ts';
import { isObject, type Json } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import {
  describe,
  expectArray,
  expectRefusal,
  expectStatus,
  PET_STATUSES,
  type PetStatus,
} from './expectations.ts';
import { expectListed, followNext } from './pages.ts';
import type { Session } from './session.ts';
import { Failed, NotCheckable } from './verdict.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** The status of the list whose pages are looked at. */
const FILTER = 'pending';

export const LIST_PETS: Section = {
  title: 'listPets: GET /pets',
  checks: [
    {
      id: 'listPets.listed',
      sentence: 'A list is answered 200',
      async check(session) {
        expectStatus(await session.askOnce(listing()), 200);
      },
    },
    {
      id: 'listPets.array',
      sentence: 'The body is a bare array',
      async check(session) {
        expectArray(await session.askOnce(listing()));
      },
    },
    {
      id: 'listPets.contains',
      sentence: 'An animal that was added is listed, as it was added',
      async check(session) {
        const additions = [await addedAnimal(session), ...(await addedWithEachStatus(session))];
        await expectListed(session, '', additions);
      },
    },
    {
      id: 'listPets.paginated',
      sentence: 'The list comes in pages: the next one has other animals',
      async check(session) {
        await expectOtherAnimalsNext(session, await stocked(session, '?limit=10'));
        await expectOtherAnimalsNext(session, await filteredPage(session));
      },
    },
    {
      id: 'listPets.limit.default',
      sentence: 'Without a limit a page has 20 animals',
      check: (session) => expectPage(session, '', DEFAULT_LIMIT),
    },
    {
      id: 'listPets.limit.number',
      sentence: 'A page has as many animals as the limit says, filtered or not',
      async check(session) {
        for (const limit of [2, 19]) await expectPage(session, `?limit=${limit}`, limit);
        const filtered = await filteredPage(session);
        const { length } = animalsOf(filtered);
        if (length > 1) throw new Failed('1 animal', `${length}`, filtered);
      },
    },
    {
      id: 'listPets.limit.minimum',
      sentence: 'The limit may be 1',
      check: (session) => expectPage(session, '?limit=1', 1),
    },
    {
      id: 'listPets.limit.belowMinimum',
      sentence: 'A limit below 1 is refused',
      check: (session) => expectRefused(session, '?limit=0', '?limit=-1'),
    },
    {
      id: 'listPets.limit.aboveMaximum',
      sentence: 'A limit above 100 is refused',
      check: (session) => expectRefused(session, `?limit=${MAX_LIMIT + 1}`),
    },
    {
      id: 'listPets.limit.integer',
      sentence: 'A limit that is no integer is refused',
      check: (session) => expectRefused(session, '?limit=abc', '?limit=1.5'),
    },
    {
      id: 'listPets.status.filter',
      sentence: 'With a status, the list has animals of that status and no others',
      async check(session) {
        await addedWithEachStatus(session);
        for (const status of PET_STATUSES) {
          expectAllAre(status, await session.askOnce(listing(`?status=${status}&limit=100`)));
        }
        const next = await followNext(session, await filteredPage(session));
        if (next !== undefined) expectAllAre(FILTER, next);
      },
    },
    {
      id: 'listPets.status.optional',
      sentence: 'Without a status, the list has animals of every status',
      async check(session) {
        await addedWithEachStatus(session);
        const listed = await session.ask(listing('?limit=100'));
        const animals = animalsOf(listed);
        if (new Set(animals.map(statusIn)).size > 1) return;
        if (animals.length === MAX_LIMIT) {
          throw new NotCheckable('The first 100 animals share a status, and more are not shown.');
        }
        throw new Failed('animals of different status', 'one status only', listed);
      },
    },
    {
      id: 'listPets.status.values',
      sentence: 'A filter by any other status is refused',
      check: (session) => expectRefused(session, '?status=lost'),
    },
    {
      id: 'listPets.limit.maximum',
      sentence: 'The limit may be 100',
      async check(session) {
        expectStatus(await session.askOnce(listing(`?limit=${MAX_LIMIT}`)), 200);
        await requireStock(session, MAX_LIMIT);
        expectLength(await session.ask(listing(`?limit=${MAX_LIMIT}`)), MAX_LIMIT);
      },
    },
  ],
};

/** A list of a deployment that has more animals than a page has by default. */
async function stocked(session: Session, query: string): Promise<Exchange> {
  await session.shared('stock', () => requireStock(session, DEFAULT_LIMIT + 1));
  return session.ask(listing(query));
}

/** A page of a filtered list that has another page. */
async function filteredPage(session: Session): Promise<Exchange> {
  for (const categoryId of [1, 2]) await addedAnimal(session, { status: FILTER, categoryId });
  return session.askOnce(listing(`?status=${FILTER}&limit=1`));
}

async function addedWithEachStatus(session: Session): Promise<Exchange[]> {
  const additions: Exchange[] = [];
  for (const status of PET_STATUSES) additions.push(await addedAnimal(session, { status }));
  return additions;
}

async function expectOtherAnimalsNext(session: Session, first: Exchange): Promise<void> {
  const next = await followNext(session, first);
  if (next === undefined) {
    throw new NotCheckable('No next page is linked, and how to ask for one is left open.');
  }
  expectStatus(next, 200);
  const seen = animalsOf(first).map(idIn);
  const animals = expectArray(next);
  const again = animals.find((pet) => seen.includes(idIn(pet)));
  if (animals.length > 0 && again === undefined) return;
  const came = again === undefined ? 'none' : `${describe(idIn(again))} once more`;
  throw new Failed('animals that the first page does not have', came, next);
}

function expectAllAre(status: PetStatus, listed: Exchange): void {
  expectStatus(listed, 200);
  const animals = expectArray(listed);
  const stray = animals.find((pet) => statusIn(pet) !== status);
  if (animals.length > 0 && stray === undefined) return;
  const came = stray === undefined ? 'none' : `one that is ${describe(statusIn(stray))}`;
  throw new Failed(`animals that are ${status}`, came, listed);
}

async function expectPage(session: Session, query: string, length: number): Promise<void> {
  const listed = await stocked(session, query);
  expectStatus(listed, 200);
  expectLength(listed, length);
}

function expectLength(listed: Exchange, length: number): void {
  const came = expectArray(listed).length;
  if (came !== length) throw new Failed(`${length} animals`, `${came}`, listed);
}

async function expectRefused(session: Session, ...queries: string[]): Promise<void> {
  for (const query of queries) expectRefusal(await session.askOnce(listing(query)));
}

function statusIn(pet: Json): Json | undefined {
  return isObject(pet) ? pet['status'] : undefined;
}
