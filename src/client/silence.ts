const FIRST_SILENCE_MS = 500;
const LONGEST_SILENCE_MS = 4_000;

/** Beyond so many in a row, requests that callers abort are a silence too: none was heard of. */
const ABORTS_TO_SILENCE = 10;

/** What was known when a request left. */
export interface Departure {
  readonly silences: number;
  readonly aborts: number;
}

/**
 * Notices when the service is not heard any more, and how long to leave it alone. A service that
 * refuses and is not heard bans after 30 strikes in a minute. These waits make 17 requests of a
 * minute, and with the tolerated aborts 27.
 */
export class Silence {
  /** How often in a row nothing was heard. */
  count = 0;
  /** When to ask again. */
  untilMs = 0;
  /** How many requests were aborted, and how many of them before one left that was answered. */
  #aborts = 0;
  #abortsBeforeAnswer = 0;

  depart(): Departure {
    return { silences: this.count, aborts: this.#aborts };
  }

  /** What left before the silence may be answered late: that does not end it. */
  hear(departure: Departure): void {
    if (departure.silences === this.count) this.count = 0;
    this.#abortsBeforeAnswer = Math.max(this.#abortsBeforeAnswer, departure.aborts);
  }

  /** True when that makes one silence more. */
  miss(departure: Departure, isAborted: boolean, nowMs: number): boolean {
    if (isAborted) this.#aborts++;
    const abortsInARow = this.#aborts - this.#abortsBeforeAnswer;
    const isTolerated = isAborted && this.count === 0 && abortsInARow <= ABORTS_TO_SILENCE;
    // Requests that were under way together fail together: that is one silence.
    if (isTolerated || departure.silences !== this.count) return false;
    this.untilMs = nowMs + silenceMs(this.count);
    this.count++;
    return true;
  }
}

/** Grows long enough that refusals which are never heard of bring no ban. */
function silenceMs(silencesBefore: number): number {
  return Math.min(LONGEST_SILENCE_MS, FIRST_SILENCE_MS * 2 ** silencesBefore);
}
