/** Waits for work with a deadline. Throws the error from `late` when time is up. */
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
