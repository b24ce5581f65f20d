import { isNear, STOP_WORDS, stemOf, synonymsOf, weightOf, wordsOf } from './search-words.ts';

/** Something that can be found: a page, a section, a step of a section, or a row that has an anchor. */
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
    const total: Scores = new Map(entries.map((entry) => [entry, 0]));
    for (const word of wordsToFind(query, index)) {
      const matches: Scores = new Map();
      for (const [term, weight] of termsFor(word, index)) {
        for (const [entry, score] of index.get(term) ?? []) raise(matches, entry, score * weight);
      }
      const rarity = Math.log(1 + entries.length / matches.size);
      for (const [entry, score] of matches) {
        total.set(entry, (total.get(entry) ?? 0) + score * rarity * weightOf(word));
      }
    }
    const best = Math.max(...total.values());
    return [...total]
      .filter(([, score]) => score > best * WORST_SHARE)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_RESULTS)
      .map(([entry]) => entry);
  };
}

function indexOf(entries: readonly SearchEntry[]): Index {
  const index = new Map<string, Scores>();
  const add = (name: string, entry: SearchEntry, score: number) => {
    for (const word of [name, ...synonymsOf(name)]) {
      for (const term of [word, stemOf(word)]) {
        const scores = index.get(term) ?? new Map();
        raise(scores, entry, word === name ? score : score * SYNONYM_WEIGHT);
        index.set(term, scores);
      }
    }
  };
  for (const entry of entries) {
    for (const field of [entry.title, ...entry.words.split(' '), entry.text]) {
      const names = wordsOf(field);
      // A word of a short title says more than one of a long text, or than a part of a name.
      const score = 1 / Math.sqrt(names.length);
      for (const [whole = '', ...parts] of names) {
        add(whole, entry, score);
        for (const part of parts) add(part, entry, score / Math.sqrt(parts.length));
      }
    }
  }
  return index;
}

function raise(scores: Scores, entry: SearchEntry, score: number): void {
  scores.set(entry, Math.max(score, scores.get(entry) ?? 0));
}

/**
 * The words of a query. Readers write some words together that the pages write apart, and the other way
 * round, such as `apikey` and `log in`, so both forms are tried. An article does not separate such words: "get a key"
 * is `getkey`.
 */
function wordsToFind(query: string, index: Index): string[] {
  // The path of one pet names a pet: `GET /v1/pets/{petId}` is getPet.
  const short = query.replace(/\/v1\b/, '').replace(/(\/\w+)s\/\S+/, '$1');
  const words = wordsOf(short)
    .flat()
    .filter((word) => !/^(?:an?|the|my|your)$/.test(word));
  const telling = words.filter((word) => !/^(?:.|\d\d)$/.test(word) && !STOP_WORDS.has(word));
  const joined = [2, 3].flatMap((size) => runsOf(words, size));
  return [
    ...(telling.length > 0 ? telling : words).flatMap((word) => partsOf(word, index)),
    ...new Set(joined.flatMap((forms) => forms.find((form) => index.has(form)) ?? [])),
  ];
}

/** Joins every `size` consecutive words into one word, once as it is and once with its stem. */
function runsOf(words: readonly string[], size: number): string[][] {
  return words.slice(size - 1).map((last, at) => {
    const start = words.slice(at, at + size - 1).join('');
    // The stem of a short last word would be that of the words before it.
    return [start + last, stemOf(start + last)].filter((form) => form.length > start.length + 1);
  });
}

/** Splits an unknown word into two known ones, if that is possible. */
function partsOf(word: string, index: Index): string[] {
  if (index.has(word) || index.has(stemOf(word))) return [word];
  for (let at = 3; at < word.length - 1; at++) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every((part) => index.has(part))) return parts;
  }
  return [word];
}

/**
 * The known words that a word may stand for, with weights. A word that is unknown is cut off, for example because it
 * is still being typed, or has a typo.
 */
function termsFor(word: string, index: Index): [string, number][] {
  const stem = stemOf(word);
  // Short words are not corrected, because one letter makes a different word of them.
  const isTypo = (edits: number) => (term: string) =>
    word.length > 4 * edits && isNear(word, term, edits);
  const readings: [number, (term: string) => boolean][] = [
    [0.9, (term) => term === word || term === stem],
    [0.8, (term) => term.startsWith(word)],
    [0.8, isTypo(1)],
    [0.4, isTypo(2)],
  ];
  for (const [weight, isMeant] of readings) {
    const terms = [...index.keys()].filter(isMeant);
    if (terms.length > 0) {
      return terms.flatMap((term) => [
        [term, term === word ? 1 : weight],
        [stemOf(term), weight],
      ]);
    }
  }
  return [];
}
