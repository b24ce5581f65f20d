import { isNear, STOP_WORDS, stemOf, synonymsOf, wordsOf } from './search-words.ts';

/** A page, a section, a step of it, or a row that has an anchor. */
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

/** Results that are much worse than the best one would only distract. */
const WORST_SHARE = 1 / 4;

const SYNONYM_WEIGHT = 0.5;

/** A number for each entry that has a word, or that matches a query. */
type Scores = Map<SearchEntry, number>;

/** The entries that have a word, by the word and by its stem. */
type Index = ReadonlyMap<string, Scores>;

/** Finds the entries with the most and the rarest words of a query, the best first. */
export function newSearch(entries: readonly SearchEntry[]): (query: string) => SearchEntry[] {
  const index = indexOf(entries);
  return (query) => {
    const total: Scores = new Map();
    for (const word of wordsToFind(query, index)) {
      const best: Scores = new Map();
      for (const term of termsFor(word, index)) {
        const scores: Scores = index.get(term) ?? new Map();
        const rarity = Math.log(1 + entries.length / scores.size);
        for (const [entry, score] of scores) raise(best, entry, score * rarity);
      }
      for (const [entry, score] of best) total.set(entry, (total.get(entry) ?? 0) + score);
    }
    const best = Math.max(...total.values());
    return [...total]
      .filter(([, score]) => score >= best * WORST_SHARE)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_RESULTS)
      .map(([entry]) => entry);
  };
}

function indexOf(entries: readonly SearchEntry[]): Index {
  const index = new Map<string, Scores>();
  const add = (word: string, entry: SearchEntry, score: number) => {
    for (const term of [word, stemOf(word)]) {
      const scores = index.get(term) ?? new Map();
      raise(scores, entry, score);
      index.set(term, scores);
    }
  };
  for (const entry of entries) {
    for (const field of [entry.title, ...entry.words.split(' '), entry.text]) {
      const words = wordsOf(field).flat();
      // A word of a short title says more than one of a long text.
      const score = 1 / Math.sqrt(words.length);
      for (const word of words) {
        add(word, entry, score);
        for (const synonym of synonymsOf(word)) add(synonym, entry, score * SYNONYM_WEIGHT);
      }
    }
  }
  return index;
}

function raise(scores: Scores, entry: SearchEntry, score: number): void {
  scores.set(entry, Math.max(score, scores.get(entry) ?? 0));
}

/** Readers write some words together or apart: `apikey` and `log in`. */
function wordsToFind(query: string, index: Index): string[] {
  const words = wordsOf(query).flatMap(([whole = '', ...parts]) =>
    parts.length === 0 || index.has(whole) ? [whole] : parts,
  );
  const telling = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  const joined = words.slice(1).map((word, i) => words[i] + stemOf(word));
  return [
    ...(telling.length > 0 ? telling : words).flatMap((word) => partsOf(word, index)),
    ...joined.filter((stem) => index.has(stem)),
  ];
}

/** Two known words, or the word as it is. */
function partsOf(word: string, index: Index): string[] {
  if (index.has(word) || index.has(stemOf(word))) return [word];
  for (let at = 3; at < word.length - 1; at++) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every((part) => index.has(part))) return parts;
  }
  return [word];
}

/** The known words that a word stands for. One that is not known is cut short, or has a typo. */
function termsFor(word: string, index: Index): string[] {
  const stem = stemOf(word);
  // In a short word, a typo makes another word.
  const isTypo = (edits: number) => (term: string) =>
    [word, stem].some(
      (form) => form.length > 3 * edits && form[0] === term[0] && isNear(form, term, edits),
    );
  const readings = [
    (term: string) => term === word || term === stem,
    (term: string) => term.startsWith(word),
    isTypo(1),
    isTypo(2),
  ];
  for (const isMeant of readings) {
    const terms = [...index.keys()].filter(isMeant);
    if (terms.length > 0) return terms;
  }
  return [];
}
