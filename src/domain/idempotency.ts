import { DAY_SECONDS } from './durations.ts';

const LIFETIME_SECONDS = DAY_SECONDS;

/** Expired keys that a creation with a new key deletes. */
export const SWEPT_PER_CREATION = 2;

export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

/** Printable ASCII, which every proxy passes on unchanged. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]+$/;

export const IDEMPOTENCY_KEY_RULE = `must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters without spaces, such as a UUID`;

/** Makes a creation happen at most once, no matter how often it is sent. */
export interface IdempotencyKey {
  readonly accountId: number;
  readonly key: string;
  /** Equal for equal pets: tells a retry from a reused key. */
  readonly fingerprint: string;
  readonly nowMs: number;
  /** On staging, a time of this account alone: it says nothing about the keys of others. */
  readonly isTestTime?: boolean;
}

export function isIdempotencyKey(text: string): boolean {
  return text.length <= MAX_IDEMPOTENCY_KEY_CHARACTERS && IDEMPOTENCY_KEY_PATTERN.test(text);
}

/** Keys used at or before this time have expired. */
export function idempotencyCutoffMs(nowMs: number): number {
  return nowMs - LIFETIME_SECONDS * 1000;
}
