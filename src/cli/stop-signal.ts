import { constants } from 'node:os';

/** One Ctrl-C reaches a child of npm twice: from the terminal and from npm. */
const SAME_KEYPRESS_MS = 100;

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
      } else if (signal === 'SIGTERM' || performance.now() - firstAtMs > SAME_KEYPRESS_MS) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
  return promise;
}
