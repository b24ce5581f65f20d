/** A value that is there already, or that has to be waited for. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Goes on with a value: at once where it is there. An `await` would give way even then, which takes
 * longer than all that a request of an animal in memory needs (`docs/performance.md`). What the next
 * step needs beside the value is handed on as its context: a function made for each request, to hold
 * it, would have to be collected again.
 */
export function whenReady<T, U>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<U>,
): Awaitable<U>;
export function whenReady<T, U, C>(
  value: Awaitable<T>,
  next: (value: T, context: C) => Awaitable<U>,
  context: C,
): Awaitable<U>;
export function whenReady<T, U, C>(
  value: Awaitable<T>,
  next: (value: T, context: C | undefined) => Awaitable<U>,
  context?: C,
): Awaitable<U> {
  return value instanceof Promise ? later(value, next, context) : next(value, context);
}

/** By itself, so that its function is made only where something is waited for. */
function later<T, U, C>(
  value: Promise<T>,
  next: (value: T, context: C) => Awaitable<U>,
  context: C,
): Promise<U> {
  return value.then((result) => next(result, context));
}

/** The value that `run` comes to, or what `recover` makes of what it throws, now or later. */
export function recovering<T, C>(
  run: (context: C) => Awaitable<T>,
  recover: (thrown: unknown, context: C) => T,
  context: C,
): Awaitable<T> {
  try {
    const value = run(context);
    return value instanceof Promise ? recoveringLater(value, recover, context) : value;
  } catch (thrown) {
    return recover(thrown, context);
  }
}

function recoveringLater<T, C>(
  value: Promise<T>,
  recover: (thrown: unknown, context: C) => T,
  context: C,
): Promise<T> {
  return value.catch((thrown) => recover(thrown, context));
}
