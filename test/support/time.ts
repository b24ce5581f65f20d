/** A clock that only the test moves. */
export class Clock {
  nowMs: number;

  constructor(start: string | number = '2026-11-15T12:00:00Z') {
    this.nowMs = new Date(start).getTime();
  }

  readonly now = (): number => this.nowMs;

  advance(seconds: number): void {
    this.nowMs += seconds * 1000;
  }

  set(moment: string): void {
    this.nowMs = Date.parse(moment);
  }
}

/** A test of counts of a day, which runs again if it fails while a day of UTC ends. */
export function withinOneDay(check: () => Promise<void>): () => Promise<void> {
  const today = () => new Date().getUTCDate();
  return async () => {
    const day = today();
    try {
      await check();
    } catch (error) {
      if (today() === day) throw error;
      await check();
    }
  };
}

/** Only a hang exceeds these limits. A wait fails before its test does, with a better error. */
export const WAIT_TIMEOUT_MS = 300_000;
export const TEST_TIMEOUT_MS = 600_000;

/** `npm run test:long` repeats work more often. `npm test` must pass on a slow machine. */
const isLong = Bun.env['TEST_LONG'] !== undefined;

export function amount(usual: number, long: number): number {
  return isLong ? long : usual;
}

/**
 * The error of a rejected promise, which must be of the class, if one is given. `expect().rejects` blocks the event loop
 * and starves workers.
 */
export async function rejection<T = unknown>(
  promise: unknown,
  type?: new (...given: never[]) => T,
): Promise<T> {
  try {
    await promise;
  } catch (error) {
    if (type !== undefined && !(error instanceof type)) throw error;
    return error as T;
  }
  throw new Error('Expected a rejection, but the promise was fulfilled');
}

/** For error callbacks that the test does not expect. */
export function failLoudly(error: unknown): never {
  throw error;
}

/** On a busy machine, a Redis that is there may respond late. */
export const PATIENT_MS = 60_000;

/** For checks that fail until something works. */
export function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

/** Repeats a check until it returns true, more rarely the longer that takes. */
export async function eventually(check: () => Promise<boolean> | boolean): Promise<void> {
  const beganAtMs = performance.now();
  while (!(await check())) {
    const waitedMs = performance.now() - beganAtMs;
    if (waitedMs > WAIT_TIMEOUT_MS) throw new Error('The condition did not become true in time');
    await Bun.sleep(Math.min(20 + waitedMs / 10, 250));
  }
}
