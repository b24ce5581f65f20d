import { type Answer, errorBodyOf } from './answer.ts';
import type { OperationName } from './error-code.ts';
import {
  type AnimalStoreError,
  ApiError,
  ConnectionError,
  RateLimitError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import { holdSecondsOf, standingOf } from './limit-headers.ts';

/** How an attempt ended. */
export type Outcome = Answered | Unanswered;

interface Answered {
  readonly kind: 'answered';
  readonly answer: Answer;
}

interface Unanswered {
  /**
   * `aborted`: the caller did not want it any more, and `cause` is the reason; `unsent` when that
   * was before anything was sent.
   */
  readonly kind: 'failed' | 'late' | 'aborted' | 'unsent';
  readonly cause: unknown;
}

/** What a caller is told of an attempt that was no success. */
export function failureOf(outcome: Outcome, operation: OperationName): AnimalStoreError {
  if (outcome.kind === 'answered') return errorFrom(outcome.answer, operation);
  const { kind, cause } = outcome;
  if (kind === 'late') {
    const message = `No whole answer to ${operation} came in time. timeoutSeconds says how long it may take.`;
    return new TimeoutError(operation, message, { cause });
  }
  const message = `No answer to ${operation} came: the connection failed. Its cause says more.`;
  return new ConnectionError(operation, message, { cause });
}

/** `retryAfterSeconds` is what is left of the wait that the answer asked for. */
export function errorFrom(
  answer: Answer,
  operation: OperationName,
  retryAfterSeconds = holdSecondsOf(answer),
): AnimalStoreError {
  const { status, requestId, receivedAtMs } = answer;
  const said = errorBodyOf(answer);
  if (status === 429 && retryAfterSeconds !== undefined) {
    const standing = standingOf(answer);
    const resetAtMs = standing
      ? standing.resetAtSeconds * 1000
      : receivedAtMs + retryAfterSeconds * 1000;
    return new RateLimitError({
      ...(said ?? { code: 'too_many_requests', message: 'Too many requests were sent.' }),
      ...{ operation, status, requestId, retryAfterSeconds },
      resetAt: new Date(resetAtMs),
      limit: standing?.limit,
    });
  }
  if (said !== undefined) {
    return new ApiError({ ...said, operation, status, requestId, retryAfterSeconds });
  }
  return new UnexpectedAnswerError(operation, answer, problemWith(status));
}

function problemWith(status: number): string {
  // Browsers say 0 for a redirection that was not followed.
  return status === 0 || (status >= 300 && status < 400)
    ? 'is a redirection; make the address it leads to the baseUrl'
    : 'is not one of the Animal Store; look at what is between this client and the service';
}
