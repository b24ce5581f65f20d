/**
 * Waits for work, but not longer than this. Then throws the error that `late` makes. The work itself
 * continues, because a promise cannot be cancelled; its result is ignored.
 */
export function withDeadline<T>(
  milliseconds: number,
  work: PromiseLike<T>,
  late: () => Error,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(late()), milliseconds);
  work.then(resolve, reject);
  return promise.finally(() => clearTimeout(timer));
}
