import { CheckFailed, NotCheckable } from './check-error.ts';
import { expectAsAdded, type ReadBack } from './expectations.ts';
import { nextLink } from './headers.ts';
import { idOf, listPetsRequest, requireId, requirePets } from './pets.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

/** Bounds the search in a large store. */
const MAX_PAGES = 5;
const PAGE_SIZE = 100;

/** Requests the next page. Undefined if the response links none. */
export async function followNext(
  session: Session,
  page: RoundTrip,
): Promise<RoundTrip | undefined> {
  const link = nextLink(page.response);
  if (link === undefined) return undefined;
  const { baseUrl } = session.options;
  const next = URL.parse(link, `${baseUrl}${page.request.path}`)?.href ?? link;
  if (!next.startsWith(`${baseUrl}/`)) {
    throw new NotCheckable(`The next page is at ${next}, and the key is not sent there.`);
  }
  return session.send({ method: 'GET', path: next.slice(baseUrl.length) });
}

/** Expects the list to contain the added pets, unchanged. */
export async function expectListed(
  session: Session,
  query: string,
  added: readonly RoundTrip[],
): Promise<void> {
  const { found, lastPage } = await findInList(session, query, added);
  for (const readBack of found) expectAsAdded(readBack);
  const missing = added.find((pet) => found.every((readBack) => readBack.added !== pet));
  if (missing === undefined) return;
  const { length } = requirePets(lastPage);
  if (length < PAGE_SIZE && nextLink(lastPage.response) === undefined) {
    throw new CheckFailed(`the pet ${requireId(missing)}`, `${length} other pets`, lastPage);
  }
  throw new NotCheckable('The store has too many pets for this check to search.');
}

interface ListSearch {
  readonly found: readonly ReadBack[];
  readonly lastPage: RoundTrip;
}

/** Searches the list for added pets, page by page. */
export async function findInList(
  session: Session,
  query: string,
  added: readonly RoundTrip[],
): Promise<ListSearch> {
  const found: ReadBack[] = [];
  let page = await session.send(listPetsRequest(`?limit=${PAGE_SIZE}${query}`));
  for (let pages = 1; ; pages++) {
    const byId = new Map(requirePets(page).map((pet) => [idOf(pet), pet]));
    for (const one of added) {
      const pet = byId.get(requireId(one));
      if (pet !== undefined) found.push({ added: one, pet, shownBy: page });
    }
    const isDone = found.length >= added.length || pages === MAX_PAGES;
    const next = isDone ? undefined : await followNext(session, page);
    if (next === undefined) return { found, lastPage: page };
    page = next;
  }
}
