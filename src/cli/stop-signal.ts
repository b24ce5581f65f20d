import { constants } from 'node:os';

/** One stop can reach the service twice: from the terminal or the system, and from its launcher. */
const SAME_STOP_MS = 500;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves at the first stop signal. The next one ends the process at once. */
export function nextStopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstAtMs: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (firstAtMs === undefined) {
        firstAtMs = performance.now();
        resolve();
      } else if (performance.now() - firstAtMs > SAME_STOP_MS) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
  return promise;
}
