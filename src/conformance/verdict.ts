import type { Answer, Request } from './exchange.ts';

/** A request with its answer, if one came. */
export interface Evidence {
  readonly request: Request;
  readonly answer?: Answer;
}

/** The deployment breaks the sentence. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly expected: string;
  readonly came: string;
  readonly evidence: Evidence | undefined;

  constructor(expected: string, came: string, evidence?: Evidence) {
    super(`expected ${expected}, came ${came}`);
    this.expected = expected;
    this.came = came;
    this.evidence = evidence;
  }
}

/** The sentence cannot be judged from outside, or not in this run; the message says why. */
export class NotCheckable extends Error {
  override readonly name = 'NotCheckable';
}

/** There is no point in going on; the message is one line for the person who started the run. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
