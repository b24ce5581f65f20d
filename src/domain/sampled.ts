/**
 * A value that takes time to find out, for callers that cannot wait: reading it returns the last
 * result, and starts the next measurement if that is too old.
 */
export class Sampled<T> {
  readonly #measure: () => Promise<T>;
  readonly #maxAgeMs: number;
  readonly #elapsed: () => number;
  #value: T | undefined;
  #isMeasuring = false;
  #measuredAtMs = 0;

  /** `elapsed` returns milliseconds on a monotonic clock. */
  constructor(measure: () => Promise<T>, maxAgeMs: number, elapsed: () => number) {
    this.#measure = measure;
    this.#maxAgeMs = maxAgeMs;
    this.#elapsed = elapsed;
    this.#start();
  }

  /** Undefined until the first result, and after a measurement that failed. */
  get value(): T | undefined {
    const ageMs = this.#elapsed() - this.#measuredAtMs;
    if (!this.#isMeasuring && ageMs >= this.#maxAgeMs) this.#start();
    return this.#value;
  }

  async #start(): Promise<void> {
    this.#isMeasuring = true;
    this.#value = await this.#measure().catch(() => undefined);
    this.#measuredAtMs = this.#elapsed();
    this.#isMeasuring = false;
  }
}
