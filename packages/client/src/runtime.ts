type Callback = () => void;

/** Some runtimes fire timers up to a millisecond early, so each delay is extended by this much. */
const TIMER_SLACK_MS = 1;

/** The longest delay of a timer. A timer with a longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clocks, timers and randomness of the machine. Tests pass in their own. */
export const systemRuntime = {
  /** Milliseconds since 1970 UTC. */
  now: () => Date.now(),
  /** Milliseconds on a monotonic clock. */
  elapsed: () => performance.now(),
  /**
   * Calls back after the delay, or earlier if the delay is too long for a timer. Returns a function that cancels
   * the timer.
   */
  after(milliseconds: number, callback: Callback): Callback {
    const delayMs = Math.min(Math.ceil(milliseconds) + TIMER_SLACK_MS, MAX_TIMER_MS);
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  /** A random number from 0 up to, but not including, 1. */
  random: () => Math.random(),
  /** Returns 128 random bits as a hexadecimal string. */
  newKey() {
    // `crypto.randomUUID` does not exist in pages that were loaded over plain HTTP.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
};

export type Runtime = typeof systemRuntime;

/**
 * Returns a promise that `start` resolves or rejects. If the signal is aborted before that, the promise rejects with
 * the signal's reason, and the function that `start` returned is called.
 */
export function abortable<T>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => Callback | undefined,
): Promise<T> {
  let unsubscribe: Callback = () => {};
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = start(resolve, reject);
    const abort = () => {
      cancel?.();
      reject(signal?.reason);
    };
    // `start` may call a hook of the caller, and the hook may abort the call.
    unsubscribe = onAbort(signal, abort);
  }).finally(() => unsubscribe());
}

/** An event listener for one signal, which calls several callbacks. */
class Callbacks extends Set<Callback> {
  handleEvent(): void {
    for (const callback of this) callback();
  }
}

/**
 * All callbacks of a signal share one event listener, because Node warns of a leak if a signal has more than ten
 * listeners.
 */
const callbacksBySignal = new WeakMap<AbortSignal, Callbacks>();

/** Calls back when the signal is aborted, or at once if it already is. Call the returned function to unsubscribe. */
export function onAbort(signal: AbortSignal | undefined, callback: Callback): Callback {
  if (signal === undefined) return () => {};
  if (signal.aborted) callback();
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
export const VERSION = '1.2.0';

/** Globals that differ between Node, Bun, Deno and browsers. */
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

/** Returns undefined if the variable is not set or is empty, or if the runtime has no environment variables. */
export function environmentVariable(name: string): string | undefined {
  const { Deno, process } = globalThis as Globals;
  // If the program has no permission to read the variable, reading it would make Deno ask the user.
  const permission = Deno?.permissions.querySync({ name: 'env', variable: name });
  if (permission !== undefined && permission.state !== 'granted') return undefined;
  return process?.env?.[name]?.trim() || undefined;
}

/**
 * Returns the headers that describe the client and its runtime. In browsers it returns none, because additional
 * headers would make the browser send a preflight request first.
 */
export function platformHeaders(): Record<string, string> {
  const { process, document } = globalThis as Globals;
  const versions = process?.versions ?? {};
  // Deno and Bun also have a version of Node, which they imitate.
  const runtime = ['deno', 'bun', 'node'].find((name) => versions[name]);
  if (document !== undefined || runtime === undefined) return {};
  return { 'User-Agent': `animal-store-client/${VERSION} (${runtime}/${versions[runtime]})` };
}
