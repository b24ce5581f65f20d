/**
 * Takes items one by one, in order, and works on a bounded number at a time. The order in which they
 * are made is fixed, so that a seed makes the same ones again.
 */
export async function inParallel<T>(
  count: number,
  workers: number,
  next: () => T,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work(next());
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
