/**
 * Waits for work, but not longer than this. Then throws the error that `late` makes. The work itself
 * continues, because a promise cannot be cancelled; its result is ignored.
 */
export async function withDeadline<T>(
  milliseconds: number,
  work: PromiseLike<T>,
  late: () => Error,
): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), milliseconds);
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
