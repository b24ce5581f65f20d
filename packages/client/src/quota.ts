import { type OperationName, RateLimitError } from './errors.ts';
import type { Quota, QuotaWindow, RateLimitHeaders } from './response.ts';

const DAY_MS = 86_400_000;

/** The most recent rate limit headers, with the reset time converted to the monotonic clock. */
interface TrackedWindow extends RateLimitHeaders {
  readonly resetMs: number;
}

/** The state of the quota, as the client knew it when it sent a request. */
export interface QuotaState {
  readonly window: TrackedWindow | undefined;
  readonly abandoned: number;
}

/** Stands for the window while the service has sent no rate limit headers. Headers that arrive later replace it. */
const UNLIMITED: TrackedWindow = {
  limit: 0,
  remaining: Infinity,
  resetAt: new Date(-1),
  resetInMs: 0,
  resetMs: 0,
};

/**
 * Keeps a lower bound on the requests that the account has left. Each response reports whichever window (minute or
 * day) has fewer requests remaining, so this number is a lower bound for both windows.
 */
export class QuotaTracker {
  #window: TrackedWindow | undefined;
  /** The number of requests that got no usable response. The service may have counted them. */
  #abandoned = 0;
  /** The number of abandoned requests that were sent so early that the headers in `#window` include them. */
  #accountedFor = 0;

  get state(): QuotaState {
    return { window: this.#window, abandoned: this.#abandoned };
  }

  /**
   * Updates the window from the headers of a response. Responses to concurrent requests may arrive out of order.
   * Within a window, `remaining` only falls, and a later window has a later reset, so older headers can be recognized.
   */
  update(headers: RateLimitHeaders, nowMs: number, sentIn: QuotaState): void {
    this.#accountedFor = Math.max(this.#accountedFor, sentIn.abandoned);
    const { limit, remaining, resetAt, resetInMs } = headers;
    const current = this.#window;
    // If the request was sent after `current` arrived, its response is newer whatever the headers say, because the
    // plan may have changed.
    const isOlder =
      current !== undefined &&
      current !== sentIn.window &&
      (resetAt < current.resetAt ||
        (+resetAt === +current.resetAt &&
          limit === current.limit &&
          remaining >= current.remaining));
    if (!isOlder) this.#window = { ...headers, resetMs: nowMs + resetInMs };
  }

  /** Records a successful response without rate limit headers. */
  succeedWithoutHeaders(): void {
    if (this.#window === undefined) this.#window = UNLIMITED;
    else this.abandon();
  }

  /** Counts a request without a usable response as spent, until a request that was sent later gets a response. */
  abandon(): void {
    this.#abandoned++;
  }

  /**
   * The number of requests that are certain to be within the limit. It stays valid after the window ends, because the
   * next window starts with its whole limit and the other window had at least as many requests left.
   */
  get remaining(): number {
    return (this.#window?.remaining ?? 0) - (this.#abandoned - this.#accountedFor);
  }

  /** Returns undefined before the first response, and after the window has reset. */
  quotaAt(nowMs: number): Quota | undefined {
    const window = this.windowAt(nowMs);
    if (window === undefined) return undefined;
    const { limit, remaining, resetAt, resetMs, minute, day } = window;
    // Only one reset is known on the monotonic clock. The others are as far from it as on the clock of the service.
    const ifCurrent = (each?: QuotaWindow) =>
      each && resetMs + (+each.resetAt - +resetAt) > nowMs ? each : undefined;
    return { limit, remaining, resetAt, minute: ifCurrent(minute), day: ifCurrent(day) };
  }

  /** Returns the last window that a response described, or undefined after it has reset. */
  windowAt(nowMs: number): TrackedWindow | undefined {
    return this.#window !== undefined && this.#window.resetMs > nowMs ? this.#window : undefined;
  }
}

/** Creates the error that the service would send, without sending a request. */
export function predictedRateLimitError(
  operation: OperationName,
  retryAfterSeconds: number,
  { limit, resetAt, day }: TrackedWindow,
): RateLimitError {
  // If the service does not send both windows, the reset shows which one this is. A day window ends at midnight UTC. A
  // minute window ends within a minute from now.
  const isDay = day ? limit === day.limit : +resetAt % DAY_MS === 0 || retryAfterSeconds > 120;
  return new RateLimitError({
    operation,
    status: 429,
    code: isDay ? 'rate_limit_day' : 'rate_limit_minute',
    message:
      `The request limit of ${limit.toLocaleString('en-US')} per ${isDay ? 'day' : 'minute'} is used up until ` +
      `${resetAt.toISOString()}. No request was sent. Try again after that time, or increase ` +
      'maxRetryWaitSeconds so that the client waits.',
    requestId: undefined,
    response: undefined,
    retryAfterSeconds,
    resetAt,
    limit,
  });
}
