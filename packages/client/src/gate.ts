import { type AttemptResult, errorFromAttempt, errorFromResponse } from './attempt-result.ts';
import { type BreakerState, CircuitBreaker } from './circuit-breaker.ts';
import type { AnimalStoreError, OperationName } from './errors.ts';
import { isFromService, isSuccess } from './from-service.ts';
import { notify, type WaitEvent } from './hooks.ts';
import { onAbort } from './on-abort.ts';
import type { Settings } from './options.ts';
import { predictedRateLimitError, type Quota, type QuotaState, QuotaTracker } from './quota.ts';
import { pauseSecondsOf, rateLimitHeadersOf } from './rate-limit-headers.ts';
import type { ReceivedResponse } from './response.ts';
import type { CancelTimer, Runtime } from './runtime.ts';

/** After so many failures in a row, queued calls fail instead of waiting longer. */
const MAX_FAILURES = 5;

/** The call that a request belongs to. */
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

/** Why no request may be sent now. `in-flight` ends with the next response. */
type Obstacle = { readonly reason: 'in-flight' } | Wait;

interface Wait {
  readonly reason: Exclude<WaitEvent['reason'], 'backoff'>;
  readonly untilMs: number;
  /** Thrown to callers if the wait is too long. */
  readonly error?: (operation: OperationName, seconds: number) => AnimalStoreError;
}

/** Call it with the result of the request that was admitted. */
type Leave = (result: AttemptResult) => void;

/**
 * Every request of a client passes through here. The gate bounds the requests in flight, pauses all
 * of them for `Retry-After`, and admits none that the rate limit would refuse.
 */
export class Gate {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #quota = new QuotaTracker();
  readonly #breaker = new CircuitBreaker();
  readonly #retries = new Set<QueuedRequest>();
  readonly #firstAttempts = new Set<QueuedRequest>();
  #inFlight = 0;
  #pause: Wait | undefined;
  #timer: { readonly untilMs: number; readonly cancel: CancelTimer } | undefined;

  constructor(settings: Settings, runtime: Runtime) {
    this.#settings = settings;
    this.#runtime = runtime;
  }

  /**
   * Resolves when the request may be sent. Rejects if the wait is longer than the caller's
   * `maxRetryWaitSeconds`, and with the signal's reason if the caller aborts.
   */
  enter(caller: Caller, isRetry: boolean): Promise<Leave> {
    const { signal } = caller;
    const queue = isRetry ? this.#retries : this.#firstAttempts;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const dequeue = () => {
        queue.delete(queued);
        unsubscribe();
      };
      const queued: QueuedRequest = {
        caller,
        admit: () => {
          dequeue();
          resolve(this.#admit());
        },
        reject: (error) => {
          dequeue();
          reject(error);
        },
      };
      const unsubscribe = onAbort(signal, () => {
        queued.reject(signal?.reason);
        this.#drainQueue();
      });
      queue.add(queued);
      this.#drainQueue(queued);
    });
  }

  get quota(): Quota | undefined {
    return this.#quota.quotaAt(this.#runtime.elapsed());
  }

  /** Milliseconds left of the pause that `Retry-After` asked for. Throws if that is too long. */
  pauseMs(caller: Caller): number {
    const pause = this.#currentPause();
    if (pause === undefined) return 0;
    const error = this.#errorIfTooLong(pause, caller);
    if (error !== undefined) throw error;
    return pause.untilMs - this.#runtime.elapsed();
  }

  #admit(): Leave {
    this.#inFlight++;
    const sentIn = this.#breaker.state;
    const quotaBefore = this.#quota.state;
    return (result) => {
      this.#inFlight--;
      if (result.kind === 'responded' && isFromService(result.response)) {
        this.#breaker.onResponse(sentIn);
        this.#onResponse(result.response, quotaBefore);
      } else if (result.kind !== 'unsent') {
        this.#quota.abandon();
        this.#onFailure(result, sentIn);
      }
      this.#drainQueue();
    };
  }

  #onResponse(response: ReceivedResponse, quotaBefore: QuotaState): void {
    const nowMs = this.#runtime.elapsed();
    const headers = rateLimitHeadersOf(response);
    if (headers !== undefined) this.#quota.update(headers, nowMs, quotaBefore);
    else if (isSuccess(response)) this.#quota.succeedWithoutHeaders();
    else this.#quota.abandon();
    const untilMs = nowMs + (pauseSecondsOf(response) ?? 0) * 1000;
    if (untilMs <= Math.max(nowMs, this.#pause?.untilMs ?? 0)) return;
    this.#pause = {
      reason: 'retry-after',
      untilMs,
      error: (operation, seconds) => errorFromResponse(response, operation, seconds),
    };
  }

  #onFailure(result: AttemptResult, sentIn: BreakerState): void {
    const isAborted = result.kind === 'aborted';
    const isNewFailure = this.#breaker.onFailure(sentIn, isAborted, this.#runtime.elapsed());
    const maxFailures = Math.max(MAX_FAILURES, this.#settings.maxRetries);
    // An abort concerns only its caller.
    if (!isNewFailure || isAborted || this.#breaker.failures < maxFailures) return;
    for (const queued of this.#queue()) {
      queued.reject(errorFromAttempt(result, queued.caller.operation));
    }
  }

  /** Admits the requests that may be sent now, and sets a timer for the rest. */
  #drainQueue(newest?: QueuedRequest): void {
    let wait: Wait | undefined;
    for (const queued of this.#queue()) {
      const obstacle = this.#obstacle();
      if (obstacle === undefined) {
        queued.admit();
        continue;
      }
      if (obstacle.reason !== 'in-flight') wait = obstacle;
      break;
    }
    if (wait !== undefined) this.#rejectImpatient(wait, newest);
    this.#wakeAfter(this.#retries.size + this.#firstAttempts.size > 0 ? wait : undefined);
  }

  /** Rejects the requests that would wait too long. */
  #rejectImpatient(wait: Wait, newest: QueuedRequest | undefined): void {
    // The others were checked when this wait began. A check of all for each new one is quadratic.
    const isKnown = newest !== undefined && this.#timer?.untilMs === wait.untilMs;
    for (const queued of isKnown ? [newest] : this.#queue()) {
      const error = this.#errorIfTooLong(wait, queued.caller);
      if (error !== undefined) queued.reject(error);
    }
  }

  *#queue(): Iterable<QueuedRequest> {
    yield* this.#retries;
    yield* this.#firstAttempts;
  }

  #obstacle(): Obstacle | undefined {
    const nowMs = this.#runtime.elapsed();
    const pause = this.#currentPause();
    if (pause !== undefined) return pause;
    if (this.#inFlight >= this.#settings.maxConcurrentRequests) return { reason: 'in-flight' };
    if (this.#breaker.failures > 0) {
      // Probe with one request at a time.
      if (this.#inFlight > 0) return { reason: 'in-flight' };
      const { probeAtMs } = this.#breaker;
      if (probeAtMs > nowMs) return { reason: 'silence', untilMs: probeAtMs };
    }
    if (!this.#settings.pace || this.#quota.remaining > this.#inFlight) return undefined;
    // The very first request also goes alone: its response says how many may follow.
    if (this.#inFlight > 0) return { reason: 'in-flight' };
    const window = this.#quota.windowAt(nowMs);
    return (
      window && {
        reason: 'quota',
        untilMs: window.resetMs,
        error: (operation, seconds) => predictedRateLimitError(operation, seconds, window),
      }
    );
  }

  #currentPause(): Wait | undefined {
    return this.#pause !== undefined && this.#pause.untilMs > this.#runtime.elapsed()
      ? this.#pause
      : undefined;
  }

  #errorIfTooLong(wait: Wait, caller: Caller): AnimalStoreError | undefined {
    const seconds = (wait.untilMs - this.#runtime.elapsed()) / 1000;
    return seconds > caller.maxRetryWaitSeconds
      ? wait.error?.(caller.operation, Math.ceil(seconds))
      : undefined;
  }

  #wakeAfter(wait: Wait | undefined): void {
    if (this.#timer?.untilMs === wait?.untilMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (wait === undefined) return;
    const milliseconds = wait.untilMs - this.#runtime.elapsed();
    const cancel = this.#runtime.after(milliseconds, () => {
      this.#timer = undefined;
      this.#drainQueue();
    });
    this.#timer = { untilMs: wait.untilMs, cancel };
    notify(this.#settings.hooks.onWait, {
      reason: wait.reason,
      waitSeconds: milliseconds / 1000,
    });
  }
}
