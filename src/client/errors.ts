import type { ErrorCode, OperationName } from './error-code.ts';

/** Base class of all errors of this client, except `TypeError` and abort reasons. */
export class AnimalStoreError extends Error {
  override readonly name: string = 'AnimalStoreError';
  readonly operation: OperationName;

  constructor(operation: OperationName, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = operation;
  }
}

/** The content of an error response. */
export interface ApiErrorDetails {
  readonly operation: OperationName;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** The service responded with an error. See `code`. */
export class ApiError extends AnimalStoreError {
  override readonly name: string = 'ApiError';
  /** A known code, or one that the service added later. */
  readonly code: ErrorCode | (string & {});
  readonly status: number;
  /** Quote it when you report a problem to the service's operator. */
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

/** True if the service responded with this code. Unknown codes are a compile error. */
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
 * The limit is used up for longer than the client waits, or every retry got a 429. Until the limit
 * resets, further calls throw this at once and send nothing.
 */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError';
  declare readonly retryAfterSeconds: number;
  /** When the service accepts requests again. */
  readonly resetAt: Date;
  readonly limit: number | undefined;

  constructor(details: RateLimitErrorDetails) {
    super(details);
    this.resetAt = details.resetAt;
    this.limit = details.limit;
  }
}

/** No response arrived; `cause` is the error of `fetch`. A pet may have been added anyway. */
export class ConnectionError extends AnimalStoreError {
  override readonly name: string = 'ConnectionError';
}

/** No complete response arrived within `timeoutSeconds`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** The response does not follow the API. It probably came from a proxy. */
export class UnexpectedAnswerError extends AnimalStoreError {
  override readonly name: string = 'UnexpectedAnswerError';
  readonly status: number;
  /** Set if the request reached the service. */
  readonly requestId: string | undefined;

  constructor(
    operation: OperationName,
    { status, requestId }: Pick<UnexpectedAnswerError, 'status' | 'requestId'>,
    problem: string,
  ) {
    super(operation, `The response to ${operation} (status ${status}) ${problem}.`);
    this.status = status;
    this.requestId = requestId;
  }
}
