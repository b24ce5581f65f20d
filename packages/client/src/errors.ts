import {
  type ApiResponse,
  errorBodyOf,
  pauseSecondsOf,
  type ReceivedResponse,
  rateLimitHeadersOf,
  retryAfterSecondsOf,
} from './response.ts';

export type OperationName = 'listPets' | 'createPet' | 'getPet';

/** Codes that any operation can return. */
type SharedErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'expired_api_key'
  | 'revoked_api_key'
  | 'account_suspended'
  | 'rate_limit_minute'
  | 'rate_limit_day'
  | 'api_key_banned'
  | 'invalid_parameter'
  | 'internal_error'
  | 'service_unavailable';

interface OperationErrorCode {
  listPets: never;
  createPet:
    | 'read_only_key'
    | 'malformed_json'
    | 'validation_failed'
    | 'request_timeout'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'idempotency_key_reused';
  getPet: 'pet_not_found' | 'operation_removed';
}

/** The error codes of one operation, or of all of them. */
export type ErrorCode<Name extends OperationName = OperationName> =
  | SharedErrorCode
  | OperationErrorCode[Name];

/** Base class of all errors of this client, except `TypeError` and abort reasons. */
export class AnimalStoreError extends Error {
  override readonly name: string = 'AnimalStoreError';

  constructor(
    readonly operation: OperationName,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The service responded with an error. See `code`. */
export class ApiError extends AnimalStoreError {
  override readonly name: string = 'ApiError';
  /** A known code, or one that the service added later. */
  declare readonly code: ErrorCode | (string & {});
  declare readonly status: number;
  /** Quote it when you report a problem to the service's operator. */
  declare readonly requestId: string | undefined;
  /** With `operation_removed`, only a brownout has it: getPet works again after that time. */
  declare readonly retryAfterSeconds: number | undefined;
  /** Undefined if the client knew the response and sent nothing. */
  declare readonly response: ApiResponse | undefined;

  constructor(details: Omit<ApiError, 'name'>) {
    super(details.operation, details.message);
    Object.assign(this, details);
  }
}

/** True if the service responded with this code. Unknown codes are a compile error. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError & { readonly code: Code } {
  return error instanceof ApiError && error.code === code;
}

/**
 * The limit is used up for longer than the client waits, or every retry got a 429. Until the limit
 * resets, further calls throw this at once and send nothing.
 */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError';
  declare readonly retryAfterSeconds: number;
  /** When the service accepts requests again. */
  declare readonly resetAt: Date;
  declare readonly limit: number | undefined;

  constructor(details: Omit<RateLimitError, 'name'>) {
    super(details);
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

/** The response does not follow the API, or is longer than 10 MiB. It probably came from a proxy. */
export class UnexpectedResponseError extends AnimalStoreError {
  override readonly name: string = 'UnexpectedResponseError';
  readonly status: number;
  /** Set if the request reached the service. */
  readonly requestId: string | undefined;
  readonly response: ApiResponse;

  constructor(operation: OperationName, response: ApiResponse, problem: string) {
    super(operation, `The response to ${operation} (status ${response.status}) ${problem}.`);
    this.status = response.status;
    this.requestId = response.requestId;
    this.response = response;
  }
}

/** The error of a response. `retryAfterSeconds` is the part of its wait that is still left. */
export function errorFromResponse(
  received: ReceivedResponse,
  operation: OperationName,
  retryAfterSeconds = pauseSecondsOf(received),
): AnimalStoreError {
  const { response, receivedAtMs } = received;
  const { status, requestId } = response;
  const shared = { operation, status, requestId, response };
  const body = errorBodyOf(received);
  if (status === 429 && retryAfterSeconds !== undefined) {
    const headers = rateLimitHeadersOf(received);
    const resetAtMs = headers?.resetAtMs ?? receivedAtMs + retryAfterSeconds * 1000;
    return new RateLimitError({
      ...(body ?? { code: 'too_many_requests', message: 'Too many requests.' }),
      ...shared,
      retryAfterSeconds,
      resetAt: new Date(resetAtMs),
      limit: headers?.limit,
    });
  }
  if (body !== undefined) {
    // A 410 pauses nothing, but its caller learns how long the brownout lasts.
    const seconds = retryAfterSeconds ?? retryAfterSecondsOf(received);
    return new ApiError({ ...body, ...shared, retryAfterSeconds: seconds });
  }
  // Browsers report status 0 for a redirect that was not followed.
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  const problem = isRedirect
    ? 'is a redirect; set baseUrl to its target'
    : 'is not from Animal Store; check the proxies in front of the service';
  return new UnexpectedResponseError(operation, response, problem);
}
