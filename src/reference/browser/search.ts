import MiniSearch from 'minisearch';

/** A page, a section, or a row of a section that has an anchor. */
export interface SearchEntry {
  readonly title: string;
  /** The page or the section that it is in. */
  readonly place: string;
  /** Other words that readers use for it. */
  readonly words: string;
  readonly text: string;
  /** Relative to the root of the service. */
  readonly href: string;
}

const MOST_RESULTS = 12;

/** Finds entries with all words of a query, the best first. A word may be cut short or have a typo. */
export function newSearch(entries: readonly SearchEntry[]): (query: string) => SearchEntry[] {
  const index = new MiniSearch<SearchEntry>({
    idField: 'href',
    fields: ['title', 'words', 'text'],
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u),
    processTerm: (term) => [term, ...partsOf(term)].map((word) => word.toLowerCase()),
    searchOptions: {
      processTerm: (term) => term.toLowerCase(),
      boost: { title: 4, words: 8 },
      prefix: true,
      // A typo in a short word or in a status would make it another one.
      fuzzy: (term) => (/^[a-z]{4,}$/.test(term) ? 1 : false),
      combineWith: 'AND',
    },
  });
  index.addAll(entries);
  const byHref = new Map(entries.map((entry) => [entry.href, entry]));
  return (query) =>
    index
      .search(query)
      .slice(0, MOST_RESULTS)
      .flatMap(({ id }) => byHref.get(id) ?? []);
}

/** The words of a name such as `petId` or `pet_not_found`. */
function partsOf(term: string): string[] {
  const parts = term.split(/_|(?<=[a-z])(?=[A-Z])/);
  return parts.length > 1 ? parts : [];
}
