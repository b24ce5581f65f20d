import { constants } from 'node:os';

/** One stop can reach the service twice: from the terminal or the system, and from its launcher. */
const SAME_STOP_MS = 500;

/** Resolves at the first stop signal. The next one ends the process at once, and so does the deadline. */
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
