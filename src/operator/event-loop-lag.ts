const SAMPLE_MS = 100;

/**
 * Measures how late a timer is, which is how long a request waits before the service reads it. A
 * histogram of it is right for any number of readers; a maximum would have to be reset by one of them.
 */
export class EventLoopLag implements Disposable {
  readonly #observe: (seconds: number) => void;
  #timer: Timer;

  constructor(observe: (seconds: number) => void) {
    this.#observe = observe;
    this.#timer = this.#sample();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #sample(): Timer {
    const dueAtMs = performance.now() + SAMPLE_MS;
    return setTimeout(() => {
      this.#observe(Math.max(0, performance.now() - dueAtMs) / 1000);
      this.#timer = this.#sample();
    }, SAMPLE_MS).unref();
  }
}
