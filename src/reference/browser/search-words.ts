import stopWords from './stop-words.txt' with { type: 'text' };
import synonyms from './synonyms.txt' with { type: 'text' };

/** Words that do not help to find anything. */
export const STOP_WORDS = new Set(stopWords.split(/\s+/));

/**
 * The weight of a word, which is greater if it says more about what a reader looks for. A status says the most. The
 * words `api` and `pet` are in most queries, whatever these are about.
 */
export function weightOf(word: string): number {
  if (['api-', 'pet-'].includes(stemOf(word))) return 0.4;
  return /^[45]\d\d$/.test(word) ? 1.5 : 1;
}

/** Words that APIs use for the same thing, a line for each thing. The names of one section are in its `words`. */
const SYNONYMS = synonyms.trim().split('\n');

/**
 * The words of a text in lower case. A name is followed by its parts: `X-Request-Id` becomes requestid,
 * request and id.
 */
export function wordsOf(text: string): string[][] {
  return (text.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu) ?? []).map((name) => {
    const parts = name.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '');
    const words = parts.length > 1 ? [parts.join(''), ...parts] : parts;
    return words.map((word) => word.toLowerCase());
  });
}

/** The part that all forms of a word share, such as `retr-` for retry, retries and retrying. */
export function stemOf(word: string): string {
  const stem = word
    .replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/, '$1')
    .replace(/([a-z])\1$/, '$1');
  return `${stem}-`;
}

const SYNONYMS_BY_STEM = Map.groupBy(
  SYNONYMS.flatMap((line) => line.split(' ').map((word) => ({ stem: stemOf(word), line }))),
  ({ stem }) => stem,
);

/** All words with the same meaning, including the word itself. */
export function synonymsOf(word: string): string[] {
  const groups = SYNONYMS_BY_STEM.get(stemOf(word)) ?? [];
  return groups.flatMap(({ line }) => line.split(' '));
}

/** True if up to `edits` letters were added, dropped, replaced or swapped. */
export function isNear(a: string, b: string, edits: number): boolean {
  if (a === b) return true;
  const [x, y] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return isNear(x, y, edits);
  if (edits === 0) return false;
  const swapped = a.slice(1, 2) + a.slice(0, 1) + a.slice(2);
  const ways = [
    [x, b],
    [a, y],
    [x, y],
    [swapped, b],
  ] as const;
  return ways.some(([a, b]) => isNear(a, b, edits - 1));
}
