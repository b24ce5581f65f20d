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
