import { formatTime } from '../domain/time-text.ts';
import type { Log } from './log.ts';

const CHECK_MS = 1_000;
/** A fault that did not occur for this long has ended. */
const QUIET_MS = 10_000;
const SUMMARY_MS = 60_000;
/** Errors with ever new text must fill neither the memory nor the log. */
const MAX_KINDS = 100;
const MAX_KIND_CHARACTERS = 500;
const FURTHER_KINDS = 'faults of further kinds';

/** Faults with the same text. */
interface Kind {
  /** Those after the last line about them. */
  repeats: number;
  fromMs: number;
  untilMs: number;
  loggedMs: number;
  lastRequestId: string | undefined;
}

interface Context {
  readonly requestId?: string;
  readonly traceId?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number;
}

/**
 * Logs the first fault of a kind with its stack, and counts the others. A line has their number: each
 * minute while the fault lasts, and when it has ended.
 */
export class FaultLog implements Disposable {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #kinds = new Map<string, Kind>();
  readonly #timer = setInterval(() => this.sumUp(), CHECK_MS).unref();

  /** `now` counts milliseconds since 1970. */
  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  readonly record = (error: unknown, message = 'fault', context: Context = {}): void => {
    const nowMs = this.#now();
    const name = this.#nameOf(error, message);
    const kind = this.#kinds.get(name);
    if (kind === undefined) {
      this.#kinds.set(name, {
        repeats: 0,
        fromMs: nowMs,
        untilMs: nowMs,
        loggedMs: nowMs,
        lastRequestId: undefined,
      });
      this.#log.error({ ...context, err: error }, message);
      return;
    }
    if (kind.repeats === 0) kind.fromMs = nowMs;
    kind.repeats++;
    kind.untilMs = nowMs;
    kind.lastRequestId = context.requestId;
  };

  /** Writes the lines that are due. Runs every second. */
  readonly sumUp = (): void => {
    const nowMs = this.#now();
    for (const [name, kind] of this.#kinds) {
      const hasEnded = nowMs - kind.untilMs >= QUIET_MS;
      if (hasEnded) this.#kinds.delete(name);
      if (hasEnded || nowMs - kind.loggedMs >= SUMMARY_MS) this.#logRepeats(name, kind, nowMs);
    }
  };

  /** Writes the number of all repeats that no line has yet. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const [name, kind] of this.#kinds) this.#logRepeats(name, kind, this.#now());
    this.#kinds.clear();
  }

  #logRepeats(fault: string, kind: Kind, nowMs: number): void {
    const { repeats, fromMs, untilMs, lastRequestId } = kind;
    kind.loggedMs = nowMs;
    if (repeats === 0) return;
    const [from, until] = [formatTime(fromMs), formatTime(untilMs)];
    this.#log.error({ repeats, from, until, lastRequestId, fault }, 'fault repeated');
    kind.repeats = 0;
  }

  #nameOf(error: unknown, message: string): string {
    const name = [message, ...textsOf(error)].join(': ').slice(0, MAX_KIND_CHARACTERS);
    return this.#kinds.has(name) || this.#kinds.size < MAX_KINDS ? name : FURTHER_KINDS;
  }
}

/** The text of an error and of what caused it. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...textsOf(error.cause)];
}
