import { addedAnimal, animalsOf, idOf, listing, requireStock } from './animals.ts';
import type { Section } from './check.ts';
import { isObject, type Json } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import {
  describe,
  expectArray,
  expectRefusal,
  expectStatus,
  PET_STATUSES,
} from './expectations.ts';
import { followNext, requireListed } from './pages.ts';
import type { Session } from './session.ts';
import { Failed, NotCheckable } from './verdict.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

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
      sentence: 'An animal that was added is listed',
      async check(session) {
        await requireListed(session, '?limit=100', idOf(await addedAnimal(session)));
      },
    },
    {
      id: 'listPets.paginated',
      sentence: 'The list comes in pages: the next one has other animals',
      async check(session) {
        const first = await stocked(session, '?limit=10');
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
      },
    },
    {
      id: 'listPets.limit.default',
      sentence: 'Without a limit a page has 20 animals',
      check: (session) => expectPage(session, '', DEFAULT_LIMIT),
    },
    {
      id: 'listPets.limit.number',
      sentence: 'A page has as many animals as the limit says',
      async check(session) {
        for (const limit of [2, 19]) await expectPage(session, `?limit=${limit}`, limit);
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
        for (const status of PET_STATUSES) {
          await addedAnimal(session, { status });
          const listed = await session.askOnce(listing(`?status=${status}&limit=100`));
          expectStatus(listed, 200);
          const animals = expectArray(listed);
          const stray = animals.find((pet) => statusIn(pet) !== status);
          if (animals.length > 0 && stray === undefined) continue;
          const came = stray === undefined ? 'none' : `one that is ${describe(statusIn(stray))}`;
          throw new Failed(`animals that are ${status}`, came, listed);
        }
      },
    },
    {
      id: 'listPets.status.optional',
      sentence: 'Without a status, the list has animals of every status',
      async check(session) {
        for (const status of PET_STATUSES) await addedAnimal(session, { status });
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

function idIn(pet: Json): Json | undefined {
  return isObject(pet) ? pet['id'] : undefined;
}

function statusIn(pet: Json): Json | undefined {
  return isObject(pet) ? pet['status'] : undefined;
}
