/** Redis's clock and ours drift apart by less than this. */
const DRIFT_MS_PER_SECOND = 1;
/** A response is hardly ever this late, so Redis's clock was set back. */
const STEP_MS = 10_000;

/** Redis's clock, as far as its responses tell. */
export class RedisClock {
  /** Redis's clock minus a monotonic clock of this process. */
  #offsetMs = Number.NEGATIVE_INFINITY;
  #observedAtMs = 0;

  /**
   * A response arrives late, so the offset is too low by its delay. The highest offset comes from
   * the fastest response, and a slow response must not make later requests look late.
   */
  observe(redisNowMs: number, monotonicMs: number): void {
    const offsetMs = redisNowMs - monotonicMs;
    const driftMs = ((monotonicMs - this.#observedAtMs) / 1000) * DRIFT_MS_PER_SECOND;
    const lowestMs = this.#offsetMs - driftMs;
    const isStep = offsetMs < lowestMs - STEP_MS;
    this.#offsetMs = isStep ? offsetMs : Math.max(offsetMs, lowestMs);
    this.#observedAtMs = monotonicMs;
  }

  /** Undefined before the first response. */
  nowMs(monotonicMs: number): number | undefined {
    return Number.isFinite(this.#offsetMs) ? this.#offsetMs + monotonicMs : undefined;
  }
}
