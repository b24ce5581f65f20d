import { OperatorError } from './error.ts';
import type { Limits, Plan } from './plan.ts';

/** A customer. Its keys share its limits. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly createdAtMs: number;
  /** Null unless an operator has suspended it. */
  readonly suspendedAtMs: number | null;
  /** For operators. Callers do not see it. */
  readonly suspensionReason: string;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u;

export function parseAccountName(text: string): string {
  if (NAME.test(text)) return text;
  throw new OperatorError(
    'An account name must be 1 to 64 letters, digits, spaces or any of . _ @ -, ' +
      'and start with a letter or a digit.',
  );
}

/** Of any text for which this is false, a search finds nothing. */
export function canBePartOfName(text: string): boolean {
  return NAME.test(`x${text}`) || NAME.test(text);
}

const MAX_REASON_CHARACTERS = 200;

export function parseReason(text: string): string {
  if (text.length <= MAX_REASON_CHARACTERS && !/\p{Cc}/u.test(text)) return text;
  throw new OperatorError(
    `A reason must be at most ${MAX_REASON_CHARACTERS} characters, without control characters.`,
  );
}

const SUBJECT_PREFIX = 'account:';

/** The subject that an account's requests are counted as. */
export function accountSubject(accountId: number): string {
  return `${SUBJECT_PREFIX}${accountId}`;
}

export function isAccountSubject(subject: string): boolean {
  return subject.startsWith(SUBJECT_PREFIX);
}
