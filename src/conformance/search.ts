import { CheckFailed, NotCheckable, needed } from './check-error.ts';
import { expectFields } from './expectations.ts';
import { nextLink, wholeNumber } from './headers.ts';
import { firstPage, largestPage, petsIn, requirePets, SPARE_REQUESTS } from './lists.ts';
import { describe, fieldOf, idOf, type KnownPet, PET_STATUSES, type Shown } from './pet.ts';
import type { RoundTrip } from './round-trip.ts';
import { addSamples } from './samples.ts';
import type { Session } from './session.ts';

/** Up to this many pages are read with any key, more only with requests to spare. */
const FEW_PAGES = 10;
/** A list may go round in circles, under a header that never runs out of requests. */
const MAX_PAGES = 1_000;

interface ListSearch {
  readonly found: ReadonlyMap<KnownPet, Shown>;
  readonly lastPage: RoundTrip;
  /** Why the search ended before the end of the list, if it did. */
  readonly gaveUp?: string;
}

/** Searches the list for all samples, once per run. */
export function findSamples(session: Session): Promise<ListSearch> {
  return session.cached('the samples in the list', async () => {
    const samples = await addSamples(session);
    const search = await searchList(session, samples);
    if (search.gaveUp === undefined) return search;
    // A filtered list is shorter: its first page may show what the other could not.
    const found = new Map(search.found);
    for (const status of PET_STATUSES) {
      const missing = samples.filter((one) => !found.has(one) && one.fields['status'] === status);
      if (missing.length === 0) continue;
      const filtered = await searchList(session, missing, `&status=${status}`);
      for (const [sample, shown] of filtered.found) found.set(sample, shown);
    }
    return { ...search, found };
  });
}

/** Searches a list for pets, and reads only as many pages as that takes. */
export async function searchList(
  session: Session,
  pets: readonly KnownPet[],
  filter = '',
): Promise<ListSearch> {
  const found = new Map<KnownPet, Shown>();
  const { size } = await largestPage(session);
  let lastPage = await firstPage(session, filter);
  look(lastPage);
  try {
    for (const pet of missing()) {
      if (!found.has(pet)) await jumpTo(pet);
      // The parameter means something else.
      if (!found.has(pet)) break;
    }
    for (let pages = 1; missing().length > 0; pages++) {
      if (pages >= FEW_PAGES && !session.hasClocks) requireSpareRequests(lastPage);
      if (pages >= MAX_PAGES) throw new NotCheckable('The pet is not on the first 1,000 pages.');
      const next = await followNext(session, lastPage);
      if (next === undefined) break;
      if (next.response.text === lastPage.response.text) {
        throw new NotCheckable('The next page repeats this one: see listPets.paginated.');
      }
      lastPage = next;
      look(lastPage);
    }
  } catch (error) {
    if (!(error instanceof NotCheckable)) throw error;
    return { found, lastPage, gaveUp: error.message };
  }
  const isCut = missing().length > 0 && requirePets(lastPage).length >= size;
  const gaveUp = `The list shows ${size} pets and links no next page.`;
  return { found, lastPage, ...(isCut && { gaveUp }) };

  function missing(): KnownPet[] {
    return pets.filter((pet) => !found.has(pet));
  }

  function look(page: RoundTrip): void {
    for (const shown of petsIn(page) ?? []) {
      const pet = missing().find((one) => isThatPet(one, shown));
      if (pet !== undefined) found.set(pet, { pet: shown, shownBy: page });
    }
  }

  /** In a store of any size, this finds a pet with one request. */
  async function jumpTo({ id }: KnownPet): Promise<void> {
    const link = linkTo(id, lastPage);
    if (link !== undefined) look(await follow(session, lastPage, link));
  }
}

/** Expects a search to have found some pets, unchanged. */
export function expectFound(
  { found, lastPage, gaveUp }: ListSearch,
  pets: readonly KnownPet[],
): void {
  for (const pet of pets) {
    const shown = found.get(pet);
    if (shown !== undefined) expectFields(shown, pet);
  }
  const missing = pets.find((pet) => !found.has(pet));
  if (missing === undefined) return;
  if (gaveUp !== undefined) throw new NotCheckable(gaveUp);
  const expected = `the pet ${describe(missing.id ?? missing.fields['name'])}`;
  throw new CheckFailed(expected, `${requirePets(lastPage).length} other pets`, lastPage);
}

/** Requests the next page. Undefined if the response links none. */
export async function followNext(
  session: Session,
  page: RoundTrip,
): Promise<RoundTrip | undefined> {
  const link = nextLink(page.response);
  return link === undefined ? undefined : follow(session, page, link);
}

function follow(session: Session, page: RoundTrip, link: string): Promise<RoundTrip> {
  const { baseUrl } = session.options;
  const next = URL.parse(link, `${baseUrl}${page.request.path}`)?.href ?? link;
  if (!next.startsWith(`${baseUrl}/`)) {
    throw new NotCheckable(`The next page is at ${next}, and the key is not sent there.`);
  }
  const request = { method: 'GET', path: next.slice(baseUrl.length) } as const;
  return needed('listPets.paginated', () => session.send(request));
}

/**
 * The link to the next page, changed so that the page begins with a pet. This needs a link with a
 * parameter that is the id of the last pet.
 */
function linkTo(id: KnownPet['id'], page: RoundTrip): string | undefined {
  const lastId = idOf(petsIn(page)?.at(-1));
  const link = nextLink(page.response);
  if (id === undefined || lastId === undefined || link === undefined) return undefined;
  const [path, query] = link.split('?');
  const parameters = new URLSearchParams(query);
  const [after] =
    [...parameters].find(([name, value]) => name !== 'limit' && value === String(lastId)) ?? [];
  if (after === undefined) return undefined;
  parameters.set(after, String(BigInt(id) - 1n));
  return `${path}?${parameters}`;
}

function requireSpareRequests({ response }: RoundTrip): void {
  const remaining = wholeNumber(response, 'x-ratelimit-remaining') ?? 0;
  if (remaining >= SPARE_REQUESTS) return;
  throw new NotCheckable(
    'The pet is on a later page, and the key has too few requests left to read so many.',
  );
}

/** By its id. Without one, by its name: no two samples have the same. */
function isThatPet({ id, fields }: KnownPet, shown: Parameters<typeof idOf>[0]): boolean {
  return id === undefined ? fieldOf(shown, 'name') === fields['name'] : idOf(shown) === id;
}
