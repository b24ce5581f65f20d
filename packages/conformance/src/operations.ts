import { type ApiResponse, stringify } from './http.ts';
import {
  createPet,
  createPetWith,
  findById,
  findInList,
  GET_PET_REMOVED_AT_MS,
  getAnyPet,
  getPet,
  isPet,
  isUnchanged,
  largestPage,
  listPets,
  MAX_LIMIT,
  nextLink,
  type OperationName,
  PET_STATUSES,
  petsOn,
  REQUESTS,
  requireGetPet,
  requirePets,
  sample,
  samplesWithId,
} from './samples.ts';
import { REFUSED_VALUES } from './service.ts';
import { CHEAP, CheckFailed, DAY_MS, expect, need, type Session, shared } from './session.ts';
import {
  body,
  clientError,
  fieldOf,
  requireSuccess,
  type Statement,
  section,
  statement,
  success,
} from './statement.ts';

const DEFAULT_LIMIT = 20;
/** Two samples have this status, so a filtered list with a limit of 1 has two pages. */
const FILTERED_PAGE = '?status=pending&limit=1';

export const OPERATIONS: Readonly<Record<OperationName, readonly Statement[]>> = {
  listPets: section('listPets', 'listPets: GET /pets', [
    statement('listed', 'listPets returns 200', listPets(), 200),
    statement(
      'array',
      'The body is a bare array',
      listPets(),
      requireSuccess('listPets.listed'),
      body('a JSON array', Array.isArray),
    ),
    statement(
      'contains',
      'The list contains added pets, unchanged',
      samplesWithId,
      isUnchanged(findInList),
    ),
    statement(
      'paginated',
      'The list has pages, and the next page has other pets',
      pages('?limit=10', FILTERED_PAGE),
      hasOtherPetsNext,
    ),
    statement('limit.default', 'The default limit is 20', pages(''), isFull),
    statement(
      'limit.number',
      'A page has as many pets as limit says, filtered or not',
      pages('?limit=2', '?limit=19', FILTERED_PAGE),
      isFull,
    ),
    statement('limit.minimum', 'limit can be 1', pages('?limit=1'), success, isFull),
    statement(
      'limit.belowMinimum',
      'A limit below 1 is rejected',
      [listPets('?limit=0'), listPets('?limit=-1')],
      clientError,
    ),
    statement(
      'limit.aboveMaximum',
      'A limit above 100 is rejected',
      listPets('?limit=101'),
      clientError,
    ),
    statement(
      'limit.integer',
      'A limit that is not an integer is rejected',
      [listPets('?limit=abc'), listPets('?limit=1.5')],
      clientError,
    ),
    statement(
      'status.filter',
      'The status filter returns pets with that status only',
      filteredPages,
      success,
      (page) => {
        // A service may link the next page with other parameters, which do not contain the status.
        const expected = parametersOf(page).status ?? 'pending';
        const statuses = petsOn(page).map((pet) => fieldOf(pet, 'status'));
        const got = [...new Set(statuses)].join() || 'none';
        expect(got === expected, `pets with status ${expected}`, got, page);
      },
    ),
    statement(
      'status.optional',
      'Without the filter, the list has pets of every status',
      PET_STATUSES.map(sample),
      findInList,
    ),
    statement(
      'status.values',
      'An unknown status in the filter is rejected',
      listPets('?status=lost'),
      clientError,
    ),
    statement('limit.maximum', 'limit can be 100', largestPage, success, async (_, session) => {
      await requirePets(session, MAX_LIMIT);
      isFull(await largestPage(session));
    }),
  ]),
  createPet: section('createPet', 'createPet: POST /pets', [
    statement('created', 'createPet returns 201', sample('available'), 201),
    statement(
      'pet',
      'The response is the new pet with its id',
      [sample('available'), sample('without a status')],
      requireSuccess('createPet.created'),
      body('the new pet', isPet),
    ),
    statement('body.required', 'A missing body returns 400', createPetWith(''), 400),
    statement('body.missingFields', 'Missing fields return 400', createPetWith('{}'), 400),
    statement(
      'body.invalidValues',
      'Invalid values return 400',
      REFUSED_VALUES.map(([, field]) => createPet({ [field]: {} })),
      400,
    ),
    statement(
      'body.json',
      'A body that is not JSON is rejected',
      createPetWith('{"name":"conformance-check",'),
      clientError,
    ),
  ]),
  getPet: section('getPet', 'getPet: GET /pets/{petId}', [
    statement(
      'found',
      'getPet returns 200 and the pet, unchanged',
      samplesWithId,
      isUnchanged(findById),
    ),
    statement(
      'notFound',
      'An unknown id returns 404, up to the largest int64',
      REQUESTS.getPet,
      requireGetPet,
      404,
    ),
    statement(
      'petId.integer',
      'An id that is not an integer is rejected',
      getPet('conformance'),
      requireGetPet,
      clientError,
    ),
    statement(
      'replacement',
      'listPets with the status filter also returns the pet, unchanged',
      sample('available'),
      isUnchanged((added, session) => findInList(added, session, '&status=available')),
    ),
    statement(
      'removed',
      'getPet is gone from 5 December 2030',
      async (session) =>
        session.timeMs() < GET_PET_REMOVED_AT_MS
          ? (await aroundRemoval(session)).after
          : getAnyPet(session),
      clientError,
    ),
    statement(
      'untilRemoval',
      'getPet still works on 4 December 2030',
      async (session) => (await aroundRemoval(session)).before,
      requireGetPet,
      200,
    ),
  ]),
};

/** Requests pages of a list that is longer than the default page. */
function pages(...queries: readonly string[]) {
  return async (session: Session) => {
    await requirePets(session, DEFAULT_LIMIT + 1);
    return session.sendAll(queries.map(listPets));
  };
}

/** Requests a page for each status that createPet has returned, and the second page of pending pets. */
async function filteredPages(session: Session): Promise<readonly ApiResponse[]> {
  const added = await session.sendAll(PET_STATUSES.map(sample));
  const shown = added.map(({ json }) => fieldOf(json, 'status'));
  const requests = PET_STATUSES.filter((status) => shown.includes(status)).map((status) =>
    listPets(`?limit=${MAX_LIMIT}&status=${status}`),
  );
  const link = nextLink(session, await session.send(listPets(FILTERED_PAGE)));
  return session.sendAll(link === undefined ? requests : [...requests, link]);
}

function parametersOf({ request: { path } }: ApiResponse) {
  const parameters = new URLSearchParams(path.split('?')[1]);
  const limit = Number(parameters.get('limit') ?? DEFAULT_LIMIT);
  return { limit, status: parameters.get('status') };
}

/** Expects a page to have as many pets as its limit. A filtered page may have fewer. */
function isFull(page: ApiResponse): void {
  const { length } = petsOn(page);
  const { limit, status } = parametersOf(page);
  const isMet = status === null ? length === limit : length <= limit;
  expect(isMet, `a page of ${limit}`, `${length}`, page);
}

async function hasOtherPetsNext(page: ApiResponse, session: Session): Promise<void> {
  const link = nextLink(session, page);
  need(link !== undefined, 'The response has no link to the next page, which is optional.');
  const next = await session.send(link);
  success(next);
  const seen = idsOn(page);
  const nextIds = idsOn(next);
  if (nextIds.length > 0 && !nextIds.some((id) => seen.includes(id))) return;
  const again = await session.sendNow(page.request);
  need(
    idsOn(again).join() === seen.join(),
    'Other clients changed the first page during the check.',
  );
  throw new CheckFailed('only pets that are not on the first page', nextIds.join(), next);
}

function idsOn(page: ApiResponse): string[] {
  return petsOn(page).map((pet) => stringify(fieldOf(pet, 'id')));
}

/** Calls getPet a day before its removal and at its removal. Then it moves the test clock back to the present. */
const aroundRemoval = shared(async (session) => {
  const present = await getAnyPet(session);
  requireGetPet(present, session);
  session.requireClocks();
  // The contract names no time zone. At this time, the day of the removal has not begun in any time zone.
  session.moveClock('key', GET_PET_REMOVED_AT_MS - DAY_MS);
  const before = await session.sendNow(present.request);
  session.moveClock('key', GET_PET_REMOVED_AT_MS);
  const after = await session.sendNow(present.request);
  const { status } = await session.sendNow(CHEAP);
  await session.startClock('key');
  need(status !== 401, 'The key expires before the removal of getPet.');
  return { before, after };
});
