import type { RoundTrip } from './round-trip.ts';

/** The request that shows the failure, with its response if one arrived. */
export type Evidence = Pick<RoundTrip, 'request'> & Partial<Pick<RoundTrip, 'response'>>;

/** The deployment violates the statement. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly expected: string;
  readonly got: string;
  readonly evidence: Evidence | undefined;

  constructor(expected: string, got: string, evidence?: Evidence) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
    this.evidence = evidence;
  }
}

/** The statement cannot be checked from outside, or not in this run. The message says why. */
export class NotCheckable extends Error {
  override readonly name = 'NotCheckable';
}

/** The run cannot start or continue. The message is one line for the user. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

/** Finds something that a check needs but does not check. `see` is the check that fails without it. */
export async function needed<T>(see: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    throw new NotCheckable(`This check needs a response that did not arrive: see ${see}.`);
  }
}

/** Finds something that a check can do without. Undefined if it cannot be found. */
export async function attempt<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof NotCheckable || error instanceof CheckFailed) return undefined;
    throw error;
  }
}
