import { type AttemptResult, errorFromAttempt, errorFromResponse } from './attempt-result.ts';
import { type BreakerState, CircuitBreaker } from './circuit-breaker.ts';
import type { AnimalStoreError, OperationName } from './errors.ts';
import { isFromService, isSuccess } from './from-service.ts';
import { notify, type WaitEvent } from './hooks.ts';
import { onAbort } from './on-abort.ts';
import type { Settings } from './options.ts';
import { predictedRateLimitError, Quota } from './quota.ts';
import { pauseSecondsOf, rateLimitHeadersOf } from './rate-limit-headers.ts';
import type { ReceivedResponse } from './response.ts';
import type { CancelTimer, Runtime } from './runtime.ts';

/** After so many failures in a row, queued calls fail instead of waiting longer. */
const MAX_FAILURES = 5;

interface Entry {
  readonly operation: OperationName;
  readonly isRetry: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface QueuedRequest {
  readonly operation: OperationName;
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
  readonly #quota: Quota | undefined;
  readonly #breaker = new CircuitBreaker();
  readonly #retries = new Set<QueuedRequest>();
  readonly #firstAttempts = new Set<QueuedRequest>();
  #inFlight = 0;
  #pause: Wait | undefined;
  #timer: { readonly untilMs: number; readonly cancel: CancelTimer } | undefined;

  constructor(settings: Settings, runtime: Runtime) {
    this.#settings = settings;
    this.#runtime = runtime;
    this.#quota = settings.pace ? new Quota() : undefined;
  }

  /**
   * Resolves when the request may be sent. Rejects if the wait is longer than
   * `maxRetryWaitSeconds`, and with the signal's reason if the caller aborts.
   */
  enter({ operation, isRetry, signal }: Entry): Promise<Leave> {
    const queue = isRetry ? this.#retries : this.#firstAttempts;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const dequeue = () => {
        queue.delete(queued);
        unsubscribe();
      };
      const queued: QueuedRequest = {
        operation,
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
      this.#drainQueue();
    });
  }

  /** Milliseconds left of the pause that `Retry-After` asked for. Throws if that is too long. */
  pauseMs(operation: OperationName): number {
    const pause = this.#currentPause();
    if (pause === undefined) return 0;
    const error = this.#errorIfTooLong(pause, operation);
    if (error !== undefined) throw error;
    return pause.untilMs - this.#runtime.elapsed();
  }

  #admit(): Leave {
    this.#inFlight++;
    const sentIn = this.#breaker.state;
    const abandonedBefore = this.#quota?.abandoned ?? 0;
    return (result) => {
      this.#inFlight--;
      if (result.kind === 'responded' && isFromService(result.response)) {
        this.#breaker.onResponse(sentIn);
        this.#onResponse(result.response, abandonedBefore);
      } else if (result.kind !== 'unsent') {
        this.#quota?.abandon();
        this.#onFailure(result, sentIn);
      }
      this.#drainQueue();
    };
  }

  #onResponse(response: ReceivedResponse, abandonedBefore: number): void {
    const nowMs = this.#runtime.elapsed();
    const headers = rateLimitHeadersOf(response);
    if (headers !== undefined) this.#quota?.update(headers, nowMs, abandonedBefore);
    else if (isSuccess(response)) this.#quota?.succeedWithoutHeaders();
    else this.#quota?.abandon();
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
    for (const queued of this.#queue()) queued.reject(errorFromAttempt(result, queued.operation));
  }

  /** Admits the requests that may be sent now, and sets a timer for the rest. */
  #drainQueue(): void {
    let wait: Wait | undefined;
    for (const queued of this.#queue()) {
      const obstacle = this.#obstacle();
      if (obstacle === undefined) {
        queued.admit();
        continue;
      }
      if (obstacle.reason === 'in-flight') break;
      const error = this.#errorIfTooLong(obstacle, queued.operation);
      if (error === undefined) {
        wait = obstacle;
        break;
      }
      queued.reject(error);
    }
    this.#wakeAfter(wait);
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
    if (this.#quota === undefined || this.#quota.remaining > this.#inFlight) return undefined;
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

  #errorIfTooLong(wait: Wait, operation: OperationName): AnimalStoreError | undefined {
    const seconds = (wait.untilMs - this.#runtime.elapsed()) / 1000;
    return seconds > this.#settings.maxRetryWaitSeconds
      ? wait.error?.(operation, Math.ceil(seconds))
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
