import { onAbort } from './on-abort.ts';

/** What the client asks of the machine: the time, timers and chance. Tests hand in their own. */
export interface Runtime {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Milliseconds on a clock that nobody sets. */
  readonly elapsed: () => number;
  /** Calls back after so many milliseconds, or earlier when that is too long for a timer. */
  readonly after: (milliseconds: number, callback: () => void) => CancelTimer;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** 128 random bits. */
  readonly newKey: () => string;
}

export type CancelTimer = () => void;

/** Timers of some runtimes go off up to a millisecond early. */
const EARLIEST_MS = 1;

/** A longer timer would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(
      callback,
      Math.min(Math.ceil(milliseconds) + EARLIEST_MS, LONGEST_TIMER_MS),
    );
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  newKey() {
    // Not randomUUID: a page that was loaded over plain HTTP does not have it.
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
      stopWatching();
      resolve();
    });
    const stopWatching = onAbort(signal, () => {
      cancel();
      reject(signal?.reason);
    });
  });
}
