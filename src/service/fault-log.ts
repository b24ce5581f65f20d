import type pino from 'pino';
import { MINUTE_MS } from '#domain/durations.ts';

/** Errors whose text is new each time must fill neither the memory nor the log. */
const MAX_KINDS = 100;
const FURTHER_KINDS = 'faults of further kinds';

/**
 * Logs faults, but not each one: a broken disk makes thousands of them in a second, and could fill the disk
 * of the log as well. The first fault of a kind is logged with its stack. After that, a line each minute
 * says how often it was repeated.
 */
export class FaultLog implements Disposable {
  /** The number of repetitions of each fault since the last line about it, by the text of the fault. */
  readonly #repeats = new Map<string, number>();
  readonly #timer = setInterval(() => this.logRepeats(), MINUTE_MS).unref();

  constructor(private readonly log: pino.Logger) {}

  record(error: unknown, message = 'fault', context: object = {}): void {
    const text = [message, ...textsOf(error)].join(': ');
    const isKnown = this.#repeats.has(text) || this.#repeats.size < MAX_KINDS;
    const kind = isKnown ? text : FURTHER_KINDS;
    const count = this.#repeats.get(kind);
    if (count === undefined) this.log.error({ ...context, err: error }, message);
    this.#repeats.set(kind, count === undefined ? 0 : count + 1);
  }

  /** Runs every minute. A fault that was not repeated in that time has ended. */
  logRepeats(): void {
    for (const [fault, repeats] of this.#repeats) {
      if (repeats === 0) {
        this.#repeats.delete(fault);
      } else {
        this.log.error({ repeats, fault }, 'fault repeated');
        this.#repeats.set(fault, 0);
      }
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.logRepeats();
  }
}

/** The text of an error, and of the errors that caused it. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...textsOf(error.cause)];
}
