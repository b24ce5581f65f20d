import { type OperationName, RateLimitError } from './errors.ts';
import type { RateLimitHeaders } from './response.ts';

const DAY_MS = 86_400_000;

/** The newest rate limit headers, with the reset on the monotonic clock. */
interface QuotaWindow extends RateLimitHeaders {
  readonly resetMs: number;
}

/** The window in force, minute or day, as the newest response described it. */
export interface Quota {
  /** Requests allowed in the window. */
  readonly limit: number;
  /** Requests that the account can still send in the window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly resetAt: Date;
}

/** The state when a request was sent. */
export interface QuotaState {
  readonly window: QuotaWindow | undefined;
  readonly abandoned: number;
}

/** The window of a service that sends no headers. Headers that arrive later replace it. */
const UNLIMITED: QuotaWindow = {
  limit: 0,
  remaining: Infinity,
  resetAtMs: -1,
  resetInMs: 0,
  resetMs: 0,
};

/**
 * A lower bound on the requests that the account has left. Responses report the window, minute or
 * day, with fewer requests remaining, so the number bounds both.
 */
export class QuotaTracker {
  #window: QuotaWindow | undefined;
  /** Requests without a usable response, and how many of them `#window` already counts. */
  #abandoned = 0;
  #accountedFor = 0;

  get state(): QuotaState {
    return { window: this.#window, abandoned: this.#abandoned };
  }

  /**
   * Takes the headers of a response. Those of requests that were in flight together may arrive out
   * of order: a window only empties, and the next one resets later.
   */
  update(headers: RateLimitHeaders, nowMs: number, sentIn: QuotaState): void {
    this.#accountedFor = Math.max(this.#accountedFor, sentIn.abandoned);
    const { limit, remaining, resetAtMs, resetInMs } = headers;
    const current = this.#window;
    // A request that was sent after `current` had arrived cannot be older, whatever its headers say: the plan
    // may have changed.
    const isOlder =
      current !== undefined &&
      current !== sentIn.window &&
      (resetAtMs < current.resetAtMs ||
        (resetAtMs === current.resetAtMs &&
          limit === current.limit &&
          remaining >= current.remaining));
    if (!isOlder) this.#window = { ...headers, resetMs: nowMs + resetInMs };
  }

  /** Counts a success whose response has no rate limit headers. */
  succeedWithoutHeaders(): void {
    if (this.#window === undefined) this.#window = UNLIMITED;
    else this.abandon();
  }

  /** Counts a lost request as spent until a request that was sent later gets a response. */
  abandon(): void {
    this.#abandoned++;
  }

  /**
   * Requests that can be sent for certain. They outlast the end of their window: the next one is
   * full, and the other window had at least as many left.
   */
  get remaining(): number {
    return (this.#window?.remaining ?? 0) - (this.#abandoned - this.#accountedFor);
  }

  /** Undefined before the first response, and once the window has reset. */
  quotaAt(nowMs: number): Quota | undefined {
    const window = this.windowAt(nowMs);
    if (window === undefined) return undefined;
    const { limit, remaining, resetAtMs } = window;
    return { limit, remaining, resetAt: new Date(resetAtMs) };
  }

  /** The known window, or undefined once it has reset. */
  windowAt(nowMs: number): QuotaWindow | undefined {
    return this.#window !== undefined && this.#window.resetMs > nowMs ? this.#window : undefined;
  }
}

/** The error that the service would send, without a request. */
export function predictedRateLimitError(
  operation: OperationName,
  retryAfterSeconds: number,
  { limit, resetAtMs }: QuotaWindow,
): RateLimitError {
  // The headers do not name their window, but days end at midnight UTC and minutes within one.
  const isDay = resetAtMs % DAY_MS === 0 || retryAfterSeconds > 120;
  const resetAt = new Date(resetAtMs);
  return new RateLimitError({
    operation,
    status: 429,
    code: isDay ? 'rate_limit_day' : 'rate_limit_minute',
    message:
      `The request limit of ${limit.toLocaleString('en-US')} per ${isDay ? 'day' : 'minute'} is used up until ` +
      `${resetAt.toISOString()}. Nothing was sent. Call again then, or raise ` +
      'maxRetryWaitSeconds to wait.',
    requestId: undefined,
    response: undefined,
    retryAfterSeconds,
    resetAt,
    limit,
  });
}
