const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 4_000;

/** More aborts in a row count as a failure, since no response shows that the service is up. */
const TOLERATED_ABORTS = 10;

/** The state of the breaker when a request was sent. */
export interface BreakerState {
  readonly failures: number;
  readonly aborts: number;
}

/**
 * Opens when the service stops responding, and spaces out the requests that probe it. A service
 * whose 429s are lost on the way bans a key after 30 strikes in a minute. The delays allow 17
 * probes in a minute, which makes 27 requests with the tolerated aborts.
 */
export class CircuitBreaker {
  /** Failures in a row. The circuit is open while there are any. */
  failures = 0;
  /** When the next probe may be sent. */
  probeAtMs = 0;
  #aborts = 0;
  /** Aborts that happened before the newest request with a response was sent. */
  #abortsBeforeResponse = 0;

  get state(): BreakerState {
    return { failures: this.failures, aborts: this.#aborts };
  }

  /** A late response to a request from before the failure does not close the circuit. */
  onResponse(sentIn: BreakerState): void {
    if (sentIn.failures === this.failures) this.failures = 0;
    this.#abortsBeforeResponse = Math.max(this.#abortsBeforeResponse, sentIn.aborts);
  }

  /** Returns true if this is a new failure. */
  onFailure(sentIn: BreakerState, isAborted: boolean, nowMs: number): boolean {
    if (isAborted) this.#aborts++;
    const abortsInARow = this.#aborts - this.#abortsBeforeResponse;
    const isTolerated = isAborted && this.failures === 0 && abortsInARow <= TOLERATED_ABORTS;
    // Requests that were in flight together fail together: that is one failure.
    if (isTolerated || sentIn.failures !== this.failures) return false;
    this.probeAtMs = nowMs + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.failures);
    this.failures++;
    return true;
  }
}
