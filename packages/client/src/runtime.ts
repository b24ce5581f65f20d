import { onAbort } from './on-abort.ts';

/** The clocks, timers and randomness of the machine. Tests pass in their own. */
export interface Runtime {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number;
  /** Calls back after the delay, or earlier if the delay is too long for a timer. */
  readonly after: (milliseconds: number, callback: () => void) => CancelTimer;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** 128 random bits. */
  readonly newKey: () => string;
}

export type CancelTimer = () => void;

/** Some runtimes fire timers up to a millisecond early. */
const TIMER_SLACK_MS = 1;

/** A longer delay overflows, and the timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(
      callback,
      Math.min(Math.ceil(milliseconds) + TIMER_SLACK_MS, MAX_TIMER_MS),
    );
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  newKey() {
    // Pages loaded over plain HTTP do not have randomUUID.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
};

/** Rejects with the signal's reason as soon as it is aborted. */
export function sleep(
  runtime: Runtime,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = runtime.after(milliseconds, () => {
      unsubscribe();
      resolve();
    });
    const unsubscribe = onAbort(signal, () => {
      cancel();
      reject(signal?.reason);
    });
  });
}
