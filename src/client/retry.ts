const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

const PASSING: readonly number[] = [408, 429, 502, 503, 504];

/** An answer that may be another one when the same is asked again. */
export function isPassing(status: number): boolean {
  return PASSING.includes(status);
}

/** Full jitter: anything up to a bound that doubles with every retry. `chance` is from 0 to 1. */
export function backoffMs(retriesBefore: number, chance: number): number {
  return chance * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retriesBefore);
}
