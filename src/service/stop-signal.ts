import { constants } from 'node:os';

/** One stop can reach the service twice: from the terminal or the system, and from its launcher. */
const SAME_STOP_MS = 500;

/** Resolves at the first stop signal. The next one ends the process at once. */
export function nextStopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstAtMs: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
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

/** A disk that hangs must not keep the process from exiting. */
export function exitAfter(seconds: number): void {
  setTimeout(() => {
    console.error('Stopped before everything in flight was finished and saved.');
    process.exit(1);
  }, seconds * 1000).unref();
}
