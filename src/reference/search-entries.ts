/** A place that readers can search for. */
export interface SearchEntry {
  readonly title: string;
  readonly kind: 'section' | 'operation' | 'parameter' | 'field' | 'error' | 'header' | 'object';
  readonly text: string;
  /** Relative to the root of the service. */
  readonly href: string;
}

const MOST_RESULTS = 12;

/** The entries that match, the best first: exact titles, then their beginnings, words and texts. */
export function searchEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry);
}

const NO_MATCH = 5;

function rankOf({ title, text }: SearchEntry, words: readonly string[]): number {
  const titleWords = wordsOf(title);
  const joined = titleWords.join('');
  const wanted = words.join('');
  if (joined === wanted) return 0;
  if (joined.startsWith(wanted)) return 1;
  if (haveAll(titleWords, words)) return 2;
  if (joined.includes(wanted)) return 3;
  return haveAll([...titleWords, ...wordsOf(text)], words) ? 4 : NO_MATCH;
}

function haveAll(candidates: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => candidates.some((candidate) => candidate.startsWith(word)));
}

/** `petId`, `pet_id` and `Pet-Id` have the same words. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
