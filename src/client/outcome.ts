import { type Answer, errorFrom } from './answer.ts';
import type { OperationName } from './error-code.ts';
import { type AnimalStoreError, ConnectionError, TimeoutError } from './errors.ts';

/** How an attempt ended. */
export type Outcome = Answered | Unanswered;

interface Answered {
  readonly kind: 'answered';
  readonly answer: Answer;
}

interface Unanswered {
  /** `aborted`: the caller did not want it any more; `cause` is the reason. */
  readonly kind: 'failed' | 'late' | 'aborted';
  readonly cause: unknown;
}

export function failureOf(outcome: Outcome, operation: OperationName): AnimalStoreError {
  if (outcome.kind === 'answered') return errorFrom(outcome.answer, operation);
  const { kind, cause } = outcome;
  if (kind === 'late') {
    const message = `No whole answer to ${operation} came in time. timeoutSeconds says how long it may take.`;
    return new TimeoutError(operation, message);
  }
  const message = `No answer to ${operation} came: the connection failed. Its cause says more.`;
  return new ConnectionError(operation, message, { cause });
}
