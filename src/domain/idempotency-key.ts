import { DAY_MS } from './durations.ts';

/** The store measures it by its own clock. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = DAY_MS;

/** Expired keys that a creation may delete. */
export const SWEPT_PER_CREATION = 2;

export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

/** Printable ASCII, which every proxy passes on unchanged. */
export const IDEMPOTENCY_KEY_PATTERN = new RegExp(
  `^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARACTERS}}$`,
);
export const IDEMPOTENCY_KEY_RULE = `must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters without spaces, such as a UUID`;

/** Makes a creation happen at most once, no matter how often it is sent. */
export interface IdempotencyKey {
  readonly accountId: number;
  readonly key: string;
  /** Equal for equal pets: tells a retry from a reused key. */
  readonly fingerprint: string;
  /** Test time of the account minus real time, which the store adds to its clock. 0 in production. */
  readonly offsetMs: number;
}
