/**
 * Bounds the requests in progress. Without it, requests that arrive faster than the store serves them
 * would fill the memory, and all of them would wait until they are late.
 */
export class RequestLimit {
  readonly #max: number;
  readonly #onShed: () => void;
  #inProgress = 0;

  constructor(max: number, onShed: () => void) {
    this.#max = max;
    this.#onShed = onShed;
  }

  /** Returns false if there are too many. A request that was admitted must leave. */
  admit(): boolean {
    if (this.#inProgress >= this.#max) return false;
    this.#inProgress++;
    return true;
  }

  /** For a request that has left, and cannot be refused any more. */
  enter(): void {
    this.#inProgress++;
  }

  leave(): void {
    this.#inProgress--;
  }

  /** Reports a request that was refused because there are too many. */
  shed(): void {
    this.#onShed();
  }
}
