import { animalsOf, listing } from './animals.ts';
import { isObject } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
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
  return session.askOnce({ method: 'GET', path: next.slice(baseUrl.length) });
}

/** Looks for an animal, page by page, each of up to a hundred. */
export async function requireListed(session: Session, query: string, id: bigint): Promise<void> {
  let page: Exchange | undefined = await session.ask(listing(query));
  for (let pages = 1; page !== undefined && pages <= MAX_PAGES; pages++) {
    const animals = animalsOf(page);
    if (animals.some((pet) => isObject(pet) && pet['id'] === id)) return;
    if (animals.length < PAGE_SIZE && nextLink(page.answer) === undefined) {
      throw new Failed(`the animal ${id}`, `${animals.length} others, and no more`, page);
    }
    page = await followNext(session, page);
  }
  throw new NotCheckable('There are more animals than this check can look through.');
}
