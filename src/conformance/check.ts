import type { Session } from './session.ts';
import { NotCheckable } from './verdict.ts';

/** A sentence of the interface, in our words, and how a deployment is held to it. */
export interface Check {
  /** Stays the same, so that reports of different days can be compared. */
  readonly id: string;
  readonly sentence: string;
  /** Throws `Failed` or `NotCheckable`; otherwise the sentence holds. */
  readonly check: (session: Session) => Promise<void>;
}

export interface Section {
  readonly title: string;
  readonly checks: readonly Check[];
}

/** For sentences that nobody can judge from outside: they are in the report all the same. */
export function neverCheckable(why: string): Check['check'] {
  return async () => {
    throw new NotCheckable(why);
  };
}
