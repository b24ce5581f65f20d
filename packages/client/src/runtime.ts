type Callback = () => void;

/** Some runtimes fire timers up to a millisecond early. */
const TIMER_SLACK_MS = 1;

/** A longer delay overflows, and the timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clocks, timers and randomness of the machine. Tests pass in their own. */
export const systemRuntime = {
  /** Milliseconds since 1970 UTC. */
  now: () => Date.now(),
  /** Milliseconds on a monotonic clock. */
  elapsed: () => performance.now(),
  /** Calls back after the delay, or earlier if the delay is too long for a timer. Returns a function that cancels it. */
  after(milliseconds: number, callback: Callback): Callback {
    const delayMs = Math.min(Math.ceil(milliseconds) + TIMER_SLACK_MS, MAX_TIMER_MS);
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  /** A random number from 0 up to, but not including, 1. */
  random: () => Math.random(),
  /** A text of 128 random bits. */
  newKey() {
    // Pages loaded over plain HTTP do not have randomUUID.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
};

export type Runtime = typeof systemRuntime;

/**
 * A promise that `start` resolves or rejects. If the signal is aborted first, the promise rejects with the signal's
 * reason, and the function that `start` returned is called.
 */
export function abortable<T>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => Callback | undefined,
): Promise<T> {
  let unsubscribe: Callback = () => {};
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = start(resolve, reject);
    unsubscribe = onAbort(signal, () => {
      cancel?.();
      reject(signal?.reason);
    });
  }).finally(() => unsubscribe());
}

/** A listener of one signal, which calls all callbacks. */
class Callbacks extends Set<Callback> {
  handleEvent(): void {
    for (const callback of this) callback();
  }
}

/** Node warns of a leak at more than ten listeners on one signal, so all callbacks share one. */
const callbacksBySignal = new WeakMap<AbortSignal, Callbacks>();

/** Calls back when the signal is aborted. Call the returned function to unsubscribe. */
export function onAbort(signal: AbortSignal | undefined, callback: Callback): () => void {
  if (signal === undefined) return () => {};
  const callbacks = callbacksBySignal.get(signal) ?? new Callbacks();
  callbacksBySignal.set(signal, callbacks.add(callback));
  // A listener that the signal already has is not added a second time.
  signal.addEventListener('abort', callbacks);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) signal.removeEventListener('abort', callbacks);
  };
}

/** The version of the package. */
export const VERSION = '1.1.0';

/** The globals of Node, Bun and Deno that browsers lack. */
interface Globals {
  readonly Deno?: {
    readonly permissions: {
      querySync(permission: { name: 'env'; variable: string }): { readonly state: string };
    };
  };
  readonly process?: {
    readonly versions?: Record<string, string>;
    readonly env?: Record<string, string | undefined>;
  };
  readonly document?: unknown;
}

/** Undefined if the variable is not set or empty, or if there is no environment. */
export function environmentVariable(name: string): string | undefined {
  const { Deno, process } = globalThis as Globals;
  // Without permission, Deno would ask the user.
  const permission = Deno?.permissions.querySync({ name: 'env', variable: name });
  if (permission !== undefined && permission.state !== 'granted') return undefined;
  return process?.env?.[name]?.trim() || undefined;
}

/**
 * Headers that describe the program. In browsers there are none, because the browser would have to ask the
 * service first whether it may send them.
 */
export function platformHeaders(): Record<string, string> {
  const { process, document } = globalThis as Globals;
  const versions = process?.versions ?? {};
  // Deno and Bun also have a version of Node, which they imitate.
  const runtime = ['deno', 'bun', 'node'].find((name) => versions[name]);
  if (document !== undefined || runtime === undefined) return {};
  return { 'User-Agent': `animal-store-client/${VERSION} (${runtime}/${versions[runtime]})` };
}
