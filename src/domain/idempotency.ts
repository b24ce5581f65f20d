import { DAY_SECONDS } from './durations.ts';
import { AppError } from './error.ts';
import { VISIBLE_ASCII } from './visible-ascii.ts';

const LIFETIME_SECONDS = DAY_SECONDS;

export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

export const IDEMPOTENCY_KEY_RULE = `must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters without spaces; a UUID is a good choice`;

/** A creation that must happen at most once, however often it is sent. */
export interface Once {
  readonly accountId: number;
  readonly key: string;
  /** Equal for equal animals: tells a repetition from a mix-up. */
  readonly fingerprint: string;
  readonly nowMs: number;
}

export function isIdempotencyKey(text: string): boolean {
  return text.length <= MAX_IDEMPOTENCY_KEY_CHARACTERS && VISIBLE_ASCII.test(text);
}

/** Creations remembered before this moment are forgotten: their keys are free again. */
export function forgottenBeforeMs(nowMs: number): number {
  return nowMs - LIFETIME_SECONDS * 1000;
}

/** How a creation relates to the one that its key was used for before. */
export function compareWithEarlier(
  earlier: { readonly fingerprint: string; readonly createdAtMs: number },
  once: Once,
): 'forgotten' | 'repetition' | 'mix-up' {
  if (earlier.createdAtMs <= forgottenBeforeMs(once.nowMs)) return 'forgotten';
  return earlier.fingerprint === once.fingerprint ? 'repetition' : 'mix-up';
}

export function keyReused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for a different animal in the last 24 hours. ' +
      'Send the same body to repeat that request, or a new key to add another animal.',
  );
}
