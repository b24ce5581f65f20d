import { animalsOf, idIn, idOf, listing } from './animals.ts';
import type { Exchange } from './exchange.ts';
import { expectAsAdded, type Sighting } from './expectations.ts';
import { nextLink } from './headers.ts';
import type { Session } from './session.ts';
import { Failed, NotCheckable } from './verdict.ts';

/** Large stores are not walked through to their end. */
const MAX_PAGES = 5;
const PAGE_SIZE = 100;

/** The page that an answer links as its next; undefined when it links none. */
export async function followNext(session: Session, page: Exchange): Promise<Exchange | undefined> {
  const link = nextLink(page.answer);
  if (link === undefined) return undefined;
  const { baseUrl } = session.options;
  const next = URL.parse(link, `${baseUrl}${page.request.path}`)?.href ?? link;
  if (!next.startsWith(`${baseUrl}/`)) {
    throw new NotCheckable(`The next page is at ${next}, and the key is not sent to that address.`);
  }
  return session.ask({ method: 'GET', path: next.slice(baseUrl.length) });
}

/** Holds a list to animals that were added: it has them, and shows them as they are. */
export async function expectListed(
  session: Session,
  query: string,
  additions: readonly Exchange[],
): Promise<void> {
  const { sightings, lastPage } = await seekInList(session, query, additions);
  for (const sighting of sightings) expectAsAdded(sighting);
  const missing = additions.find((added) => sightings.every((seen) => seen.added !== added));
  if (missing === undefined) return;
  const { length } = animalsOf(lastPage);
  if (length < PAGE_SIZE && nextLink(lastPage.answer) === undefined) {
    throw new Failed(`the animal ${idOf(missing)}`, `${length} others, and no more`, lastPage);
  }
  throw new NotCheckable('There are more animals than this check can look through.');
}

interface Search {
  readonly sightings: readonly Sighting[];
  readonly lastPage: Exchange;
}

/** Looks for animals that were added, page by page, each of up to a hundred. */
export async function seekInList(
  session: Session,
  query: string,
  additions: readonly Exchange[],
): Promise<Search> {
  const sightings: Sighting[] = [];
  let page = await session.ask(listing(`?limit=${PAGE_SIZE}${query}`));
  for (let pages = 1; ; pages++) {
    const byId = new Map(animalsOf(page).map((pet) => [idIn(pet), pet]));
    for (const added of additions) {
      const pet = byId.get(idOf(added));
      if (pet !== undefined) sightings.push({ added, pet, shownBy: page });
    }
    const isEnough = sightings.length >= additions.length || pages === MAX_PAGES;
    const next = isEnough ? undefined : await followNext(session, page);
    if (next === undefined) return { sightings, lastPage: page };
    page = next;
  }
}
