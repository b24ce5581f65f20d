import type { ErrorCode, OperationName } from './error-code.ts';

/** What every error of this client is, save for wrong arguments and the reason of an abort. */
export class AnimalStoreError extends Error {
  override readonly name: string = 'AnimalStoreError';
  readonly operation: OperationName;

  constructor(operation: OperationName, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = operation;
  }
}

/** What an error answer said. */
export interface ApiErrorDetails {
  readonly operation: OperationName;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** The service answered with an error; `code` says which. */
export class ApiError extends AnimalStoreError {
  override readonly name: string = 'ApiError';
  /** One of the codes known today, or one that was added since. */
  readonly code: ErrorCode | (string & {});
  readonly status: number;
  /** What to name when asking the operator of the service about it. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ApiErrorDetails) {
    super(details.operation, details.message);
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Whether the service answered with this code. One that this client does not know does not compile. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError & { readonly code: Code } {
  return error instanceof ApiError && error.code === code;
}

export interface RateLimitErrorDetails extends ApiErrorDetails {
  readonly retryAfterSeconds: number;
  readonly resetAt: Date;
  readonly limit: number | undefined;
}

/**
 * The requests are used up for longer than the client waits, or all retries were refused. While a
 * wait is too long, further calls end with this error at once, and nothing is sent.
 */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError';
  declare readonly retryAfterSeconds: number;
  /** When requests are admitted again. */
  readonly resetAt: Date;
  readonly limit: number | undefined;

  constructor(details: RateLimitErrorDetails) {
    super(details);
    this.resetAt = details.resetAt;
    this.limit = details.limit;
  }
}

/** No answer came; `cause` is what `fetch` said. An animal may have been added all the same. */
export class ConnectionError extends AnimalStoreError {
  override readonly name: string = 'ConnectionError';
}

/** No whole answer came within `timeoutSeconds`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** An answer came that this interface does not have: most likely from something in between. */
export class UnexpectedAnswerError extends AnimalStoreError {
  override readonly name: string = 'UnexpectedAnswerError';
  readonly status: number;
  /** What to name when asking the operator of the service about it, if it came that far. */
  readonly requestId: string | undefined;

  constructor(
    operation: OperationName,
    { status, requestId }: Pick<UnexpectedAnswerError, 'status' | 'requestId'>,
    problem: string,
  ) {
    super(operation, `The answer to ${operation} (status ${status}) ${problem}.`);
    this.status = status;
    this.requestId = requestId;
  }
}
