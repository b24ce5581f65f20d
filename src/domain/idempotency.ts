import { AppError } from './error.ts';

export const IDEMPOTENCY_LIFETIME_SECONDS = 24 * 60 * 60;

const WELL_FORMED = /^[\x21-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY_RULE =
  'must be 1 to 255 printable ASCII characters without spaces; a UUID is a good choice';

/** A creation that must happen at most once, however often it is sent. */
export interface Once {
  readonly accountId: number;
  readonly key: string;
  /** Equal for equal animals: tells a repetition from a mix-up. */
  readonly fingerprint: string;
  readonly nowMs: number;
}

export function isIdempotencyKey(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** Creations remembered before this moment are forgotten: their keys are free again. */
export function forgottenBeforeMs(nowMs: number): number {
  return nowMs - IDEMPOTENCY_LIFETIME_SECONDS * 1000;
}

/**
 * True when `once` repeats a creation of this fingerprint and age, false when that is forgotten.
 * Throws `idempotency_key_reused` when the key stands for another animal.
 */
export function isRepetition(fingerprint: string, createdAtMs: number, once: Once): boolean {
  if (createdAtMs <= forgottenBeforeMs(once.nowMs)) return false;
  if (fingerprint === once.fingerprint) return true;
  throw new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for a different animal in the last 24 hours. ' +
      'Send the same body to repeat that request, or a new key to add another animal.',
  );
}
