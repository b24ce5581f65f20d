import { DAY_MS } from './durations.ts';

/** The store measures this time on its own clock. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = DAY_MS;

/** The number of expired keys that each creation may delete. */
export const SWEPT_PER_CREATION = 2;

export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

/** Printable ASCII, which every proxy passes on unchanged. */
export const IDEMPOTENCY_KEY_PATTERN = new RegExp(
  `^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARACTERS}}$`,
);
export const IDEMPOTENCY_KEY_RULE = `must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters without spaces, such as a UUID`;

/** Lets a creation happen at most once, however often it is sent. */
export interface IdempotencyKey {
  readonly accountId: number;
  readonly key: string;
  /** Equal for equal pets. It distinguishes a retry from a key that is reused for another pet. */
  readonly fingerprint: string;
  /** The test clock of the account minus real time. The store adds it to its own clock. 0 in production. */
  readonly offsetMs: number;
}
