import { type Answer, errorFrom } from './answer.ts';
import type { OperationName } from './error-code.ts';
import { type AnimalStoreError, ConnectionError, TimeoutError } from './errors.ts';

/** How an attempt ended. */
export type Outcome = Answered | Unanswered | Aborted;

interface Answered {
  readonly kind: 'answered';
  readonly answer: Answer;
}

interface Unanswered {
  readonly kind: 'unanswered';
  /** Set when the time ran out. */
  readonly timeoutSeconds?: number;
  readonly cause?: unknown;
}

/** The caller did not want it any more. */
interface Aborted {
  readonly kind: 'aborted';
  readonly reason: unknown;
}

export function failureOf(
  outcome: Answered | Unanswered,
  operation: OperationName,
): AnimalStoreError {
  if (outcome.kind === 'answered') return errorFrom(outcome.answer, operation);
  const { timeoutSeconds, cause } = outcome;
  if (timeoutSeconds !== undefined) {
    const message = `No answer to ${operation} came within ${timeoutSeconds} seconds.`;
    return new TimeoutError(operation, message);
  }
  const message = `No answer to ${operation} came: the connection failed. Its cause says more.`;
  return new ConnectionError(operation, message, { cause });
}
