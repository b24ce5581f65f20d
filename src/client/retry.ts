const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

const FIRST_SILENCE_MS = 500;
const LONGEST_SILENCE_MS = 4_000;

const FROM_A_GATEWAY: readonly number[] = [502, 504];
const PASSING: readonly number[] = [408, 429, 503, ...FROM_A_GATEWAY];

/** An answer that may be another one when the same is asked again. */
export function isPassing(status: number): boolean {
  return PASSING.includes(status);
}

/** Said by something in front of the service, which itself has said nothing. */
export function isFromGateway(status: number): boolean {
  return FROM_A_GATEWAY.includes(status);
}

/** Full jitter: anything up to a bound that doubles with every retry. `chance` is from 0 to 1. */
export function backoffMs(retriesBefore: number, chance: number): number {
  return chance * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retriesBefore);
}

/**
 * How long to leave a service alone that does not answer. Grows long enough that refusals which
 * are never heard of bring no ban, since that takes 30 of them in a minute.
 */
export function silenceMs(silencesBefore: number): number {
  return Math.min(LONGEST_SILENCE_MS, FIRST_SILENCE_MS * 2 ** silencesBefore);
}
