import { DAY_SECONDS, MINUTE_SECONDS } from '../domain/durations.ts';
import type { OperationName } from './error-code.ts';
import { RateLimitError } from './errors.ts';
import type { Standing } from './limit-headers.ts';

/** What was told last, with its reset on the clock that nobody sets. */
interface Told extends Pick<Standing, 'limit' | 'remaining' | 'resetAtSeconds'> {
  readonly resetMs: number;
}

/** Holds for services that do not tell: nothing is known, and everything told is newer. */
const NEVER_TOLD: Told = { limit: 0, remaining: Infinity, resetAtSeconds: -1, resetMs: 0 };

/**
 * How many requests the account has left for certain. An answer tells of the window, minute or day,
 * that has fewer left, so that its number bounds both.
 */
export class Quota {
  #told: Told | undefined;
  /** How many requests were given up, and how many of them what was told takes into account. */
  #abandoned = 0;
  #accountedFor = 0;

  /** How many requests were given up so far. */
  get abandoned(): number {
    return this.#abandoned;
  }

  /**
   * Takes in what the answer to a request told that left after `abandonedBefore` were given up.
   * Answers may come out of order: a window only empties, and the next one resets later.
   */
  learn(standing: Standing, nowMs: number, abandonedBefore: number): void {
    this.#accountedFor = Math.max(this.#accountedFor, abandonedBefore);
    const { limit, remaining, resetAtSeconds, resetInMs } = standing;
    const told = this.#told;
    const isOlder =
      told !== undefined &&
      (resetAtSeconds < told.resetAtSeconds ||
        (resetAtSeconds === told.resetAtSeconds &&
          limit === told.limit &&
          remaining >= told.remaining));
    if (!isOlder) this.#told = { limit, remaining, resetAtSeconds, resetMs: nowMs + resetInMs };
  }

  /** A request succeeded, and its answer does not tell. */
  learnNothing(): void {
    if (this.#told === undefined) this.#told = NEVER_TOLD;
    else this.abandon();
  }

  /** A request whose answer was not heard is taken for spent until a later one is answered. */
  abandon(): void {
    this.#abandoned++;
  }

  /**
   * How many may be sent for certain. What is left when a window ends can still be sent in the next:
   * that one is full, and the other window had no fewer left.
   */
  get remaining(): number {
    return (this.#told?.remaining ?? 0) - (this.#abandoned - this.#accountedFor);
  }

  /** The window that is used up, or undefined when it may have been filled again. */
  usedUpAt(nowMs: number): Told | undefined {
    return this.#told !== undefined && this.#told.resetMs > nowMs ? this.#told : undefined;
  }
}

/** What the service would say, told without asking it. */
export function foreseenRefusal(
  operation: OperationName,
  retryAfterSeconds: number,
  { limit, resetAtSeconds }: Told,
): RateLimitError {
  // Headers do not name their window, but days end at midnight UTC, and minutes within one.
  const isDay = resetAtSeconds % DAY_SECONDS === 0 || retryAfterSeconds > 2 * MINUTE_SECONDS;
  const resetAt = new Date(resetAtSeconds * 1000);
  return new RateLimitError({
    operation,
    status: 429,
    code: isDay ? 'rate_limit_day' : 'rate_limit_minute',
    message:
      `The limit of ${limit} requests is used up until ${resetAt.toISOString()}. ` +
      'Nothing was sent. Call again then, or raise maxRetryWaitSeconds to wait here.',
    requestId: undefined,
    ...{ retryAfterSeconds, resetAt, limit },
  });
}
