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

/** For checks that only staging allows. */
export function requireClocks({ hasClocks }: Session, reason: string): void {
  if (hasClocks) return;
  throw new NotCheckable(`${reason} On staging, this check moves a test clock instead.`);
}
