import { editDistance } from './edit-distance.ts';

const FEWEST_CHARACTERS = 3;

/** The only candidate that was probably meant: with other case, completed, or with a typing error. */
export function closeMatch(text: string, candidates: readonly string[]): string | undefined {
  const typed = text.toLowerCase();
  const tests: ((candidate: string) => boolean)[] = [
    (candidate) => candidate === typed,
    (candidate) => typed.length >= FEWEST_CHARACTERS && candidate.startsWith(typed),
    (candidate) => isTypingError(typed, candidate, 1),
    (candidate) => typed.length > 2 * FEWEST_CHARACTERS && isTypingError(typed, candidate, 2),
  ];
  for (const isClose of tests) {
    const close = candidates.filter((candidate) => isClose(candidate.toLowerCase()));
    // A wrong suggestion is worse than none.
    if (close.length > 0) return close.length === 1 ? close[0] : undefined;
  }
  return undefined;
}

function isTypingError(typed: string, meant: string, edits: number): boolean {
  // Most names are ruled out by their length, without the cost of comparing them.
  return Math.abs(typed.length - meant.length) <= edits && editDistance(typed, meant) === edits;
}
