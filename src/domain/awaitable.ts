/** A value that is there already, or that has to be waited for. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Goes on with a value: at once where it is there. An `await` would give way even then, which takes
 * longer than all that a request of an animal in memory needs (`docs/performance.md`).
 */
export function whenReady<T, U>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<U>,
): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The value that `run` comes to, or what `recover` makes of what it throws, now or later. */
export function recovering<T>(
  run: () => Awaitable<T>,
  recover: (thrown: unknown) => T,
): Awaitable<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (thrown) {
    return recover(thrown);
  }
}
