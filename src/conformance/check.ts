import { NotCheckable } from './check-error.ts';
import type { Session } from './session.ts';

/** One statement of the API contract, in our words, and its check. */
export interface Check {
  /** Never changes, so that you can compare reports over time. */
  readonly id: string;
  readonly statement: string;
  /** Throws `CheckFailed` or `NotCheckable`. Otherwise the statement holds. */
  readonly run: (session: Session) => Promise<void>;
}

export function check(id: string, statement: string, run: Check['run']): Check {
  return { id, statement, run };
}

/** For statements that cannot be checked from outside. The report lists them anyway. */
export function neverCheckable(reason: string): Check['run'] {
  return async () => {
    throw new NotCheckable(reason);
  };
}
