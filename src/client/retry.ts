const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

const RETRYABLE: readonly number[] = [408, 429, 502, 503, 504];

export function isRetryable(status: number): boolean {
  return RETRYABLE.includes(status);
}

/** Exponential backoff with full jitter. `random` is from 0 to 1. */
export function backoffMs(retriesBefore: number, random: number): number {
  return random * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retriesBefore);
}
