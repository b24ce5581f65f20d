import { type AnimalStoreError, errorFromResponse, type OperationName } from './errors.ts';
import { notify, type Settings } from './options.ts';
import { predictedRateLimitError, type QuotaState, QuotaTracker } from './quota.ts';
import {
  pauseSecondsOf,
  type Quota,
  type ReceivedResponse,
  rateLimitHeadersOf,
} from './response.ts';
import { abortable, type Runtime } from './runtime.ts';

/** The facts that the gate needs about the call that a request belongs to. */
export interface Caller {
  readonly operation: OperationName;
  readonly signal: AbortSignal | undefined;
  readonly maxRetryWaitSeconds: number;
}

interface QueuedRequest {
  readonly caller: Caller;
  readonly admit: () => void;
  readonly reject: (error: unknown) => void;
}

/** A reason to send no request until a certain time. */
interface Wait {
  readonly reason: 'retry-after' | 'quota';
  /** On the monotonic clock. */
  readonly untilMs: number;
  /** Creates the error for a call that does not wait this long. */
  readonly error: (operation: OperationName, seconds: number) => AnimalStoreError;
}

/** The reason why no request may be sent now. An `in-flight` obstacle lasts until the next response. */
type Obstacle = Wait | 'in-flight' | undefined;

/** The caller must call this function when the admitted request has ended. */
type Leave = (result: ReceivedResponse | 'lost' | 'unsent') => void;

/**
 * Every request of a client passes through its gate. The gate limits the number of requests in flight, holds back all
 * new requests during a `Retry-After`, and admits no request that the rate limit would refuse.
 */
export class Gate {
  readonly #quota = new QuotaTracker();
  readonly #retries = new Set<QueuedRequest>();
  readonly #firstAttempts = new Set<QueuedRequest>();
  #inFlight = 0;
  #pause: Wait | undefined;
  #timer: { readonly untilMs: number; readonly cancel: () => void } | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly runtime: Runtime,
  ) {}

  /**
   * Waits until the request may be sent. Throws if the wait would be longer than the caller's `maxRetryWaitSeconds`,
   * and throws the reason of the caller's signal if it is aborted.
   */
  enter(caller: Caller, isRetry: boolean): Promise<Leave> {
    const queue = isRetry ? this.#retries : this.#firstAttempts;
    return abortable(caller.signal, (resolve, reject) => {
      const error = this.#errorIfTooLong(this.#obstacle(), caller);
      if (error !== undefined) throw error;
      const queued: QueuedRequest = {
        caller,
        admit: () => {
          queue.delete(queued);
          resolve(this.#admit());
        },
        reject: (error) => {
          queue.delete(queued);
          reject(error);
        },
      };
      queue.add(queued);
      this.#drainQueue();
      return () => {
        queue.delete(queued);
        this.#drainQueue();
      };
    });
  }

  get quota(): Quota | undefined {
    return this.#quota.quotaAt(this.runtime.elapsed());
  }

  /**
   * Returns how many milliseconds of the current `Retry-After` are left. Throws if the caller does not wait
   * that long.
   */
  pauseMs(caller: Caller): number {
    const pause = this.#currentPause();
    if (pause === undefined) return 0;
    const error = this.#errorIfTooLong(pause, caller);
    if (error !== undefined) throw error;
    return pause.untilMs - this.runtime.elapsed();
  }

  #admit(): Leave {
    this.#inFlight++;
    const quotaBefore = this.#quota.state;
    return (result) => {
      this.#inFlight--;
      if (result === 'lost') this.#quota.abandon();
      else if (result !== 'unsent') this.#onResponse(result, quotaBefore);
      this.#drainQueue();
    };
  }

  #onResponse(received: ReceivedResponse, quotaBefore: QuotaState): void {
    const nowMs = this.runtime.elapsed();
    const headers = rateLimitHeadersOf(received);
    const { status } = received.response;
    const isSuccess = status >= 200 && status < 300;
    if (headers !== undefined) this.#quota.update(headers, nowMs, quotaBefore);
    else if (isSuccess) this.#quota.succeedWithoutHeaders();
    else this.#quota.abandon();
    const untilMs = nowMs + (pauseSecondsOf(received) ?? 0) * 1000;
    if (untilMs <= Math.max(nowMs, this.#pause?.untilMs ?? 0)) return;
    this.#pause = {
      reason: 'retry-after',
      untilMs,
      error: (operation, seconds) => errorFromResponse(received, operation, seconds),
    };
  }

  /** Admits the requests that may be sent now, and sets a timer for the others. */
  #drainQueue(): void {
    let obstacle: Obstacle;
    for (const queued of this.#queue()) {
      obstacle = this.#obstacle();
      if (obstacle !== undefined) break;
      queued.admit();
    }
    this.#wakeAfter(obstacle === 'in-flight' ? undefined : obstacle);
  }

  *#queue(): Iterable<QueuedRequest> {
    yield* this.#retries;
    yield* this.#firstAttempts;
  }

  #obstacle(): Obstacle {
    const pause = this.#currentPause();
    if (pause !== undefined) return pause;
    if (this.#inFlight >= this.settings.maxConcurrentRequests) return 'in-flight';
    if (!this.settings.pace || this.#quota.remaining > this.#inFlight) return undefined;
    // While the quota is unknown or used up, requests are sent one at a time. This includes the very first request,
    // because its response says how many may follow.
    if (this.#inFlight > 0) return 'in-flight';
    const window = this.#quota.windowAt(this.runtime.elapsed());
    return (
      window && {
        reason: 'quota',
        untilMs: window.resetMs,
        error: (operation, seconds) => predictedRateLimitError(operation, seconds, window),
      }
    );
  }

  #currentPause(): Wait | undefined {
    return this.#pause !== undefined && this.#pause.untilMs > this.runtime.elapsed()
      ? this.#pause
      : undefined;
  }

  #errorIfTooLong(obstacle: Obstacle, caller: Caller): AnimalStoreError | undefined {
    if (obstacle === undefined || obstacle === 'in-flight') return undefined;
    const seconds = (obstacle.untilMs - this.runtime.elapsed()) / 1000;
    return seconds > caller.maxRetryWaitSeconds
      ? obstacle.error(caller.operation, Math.ceil(seconds))
      : undefined;
  }

  #wakeAfter(wait: Wait | undefined): void {
    if (this.#timer?.untilMs === wait?.untilMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    // Calls that do not wait this long leave the queue. This is checked once for each new wait: checking the whole
    // queue for each new request would take quadratic time.
    for (const queued of this.#queue()) {
      const error = this.#errorIfTooLong(wait, queued.caller);
      if (error !== undefined) queued.reject(error);
    }
    if (wait === undefined || this.#retries.size + this.#firstAttempts.size === 0) return;
    const milliseconds = wait.untilMs - this.runtime.elapsed();
    const cancel = this.runtime.after(milliseconds, () => {
      this.#timer = undefined;
      this.#drainQueue();
    });
    this.#timer = { untilMs: wait.untilMs, cancel };
    notify(this.settings.hooks.onWait, {
      reason: wait.reason,
      waitSeconds: milliseconds / 1000,
    });
  }
}
