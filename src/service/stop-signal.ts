import { constants } from 'node:os';

/**
 * The signal of one stop can arrive twice: the terminal or the system sends it to the service and to the
 * launcher, which passes it on. A second signal within this time belongs to the same stop.
 */
const SAME_STOP_MS = 500;

/** Resolves at the first stop signal. A second stop, or the deadline, ends the process at once. */
export function nextStopSignal(deadlineSeconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstAtMs: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (firstAtMs === undefined) {
        firstAtMs = performance.now();
        setTimeout(() => process.exit(1), deadlineSeconds * 1000).unref();
        resolve();
      } else if (performance.now() - firstAtMs > SAME_STOP_MS) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
  return promise;
}
