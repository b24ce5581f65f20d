/**
 * Returns a function for callers that cannot wait for a value. It returns the last result at once, and
 * starts another measurement in the background if that result is too old. It returns undefined until the
 * first result, and after a measurement that failed. `elapsed` returns milliseconds on a monotonic clock.
 */
export function sampled<T>(
  measure: () => Promise<T>,
  maxAgeMs: number,
  elapsed: () => number,
): () => T | undefined {
  let value: T | undefined;
  let isMeasuring = false;
  let measuredAtMs = 0;
  async function start(): Promise<void> {
    isMeasuring = true;
    value = await measure().catch(() => undefined);
    measuredAtMs = elapsed();
    isMeasuring = false;
  }
  start();
  return () => {
    if (!isMeasuring && elapsed() - measuredAtMs >= maxAgeMs) start();
    return value;
  };
}
