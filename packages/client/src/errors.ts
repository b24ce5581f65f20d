import {
  type ApiResponse,
  errorBodyOf,
  pauseSecondsOf,
  type ReceivedResponse,
  rateLimitHeadersOf,
  retryAfterSecondsOf,
} from './response.ts';

export type OperationName = 'listPets' | 'createPet' | 'getPet';

/** The error codes that every operation can return. */
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

/** The error codes of one operation or, by default, of all operations. */
export type ErrorCode<Name extends OperationName = OperationName> =
  | SharedErrorCode
  | OperationErrorCode[Name];

/** The base class of all errors that this client throws, except `TypeError` and abort reasons. */
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

/** The service responded with an error, which `code` identifies. */
export class ApiError extends AnimalStoreError {
  override readonly name: string = 'ApiError';
  /** A code that this version of the client knows, or a code that the service added later. */
  declare readonly code: ErrorCode | (string & {});
  declare readonly status: number;
  /** Quote this id when you report a problem to the operator of the service. */
  declare readonly requestId: string | undefined;
  /** For `operation_removed`, this is set only during a brownout, and getPet works again after that time. */
  declare readonly retryAfterSeconds: number | undefined;
  /**
   * If the client sent no request, because it knew that the service would refuse it, this is undefined or, during a
   * `Retry-After`, the response that asked to wait.
   */
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
 * resets, further calls throw this error at once, without sending a request.
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

/** No response arrived, and `cause` is the error that `fetch` threw. createPet may have added the pet anyway. */
export class ConnectionError extends AnimalStoreError {
  override readonly name: string = 'ConnectionError';
}

/** No complete response arrived within `timeoutSeconds`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** The response does not follow the API, or is longer than 10 MiB. A proxy probably sent it. */
export class UnexpectedResponseError extends AnimalStoreError {
  override readonly name: string = 'UnexpectedResponseError';
  readonly status: number;
  /** Set only if the request reached the service. */
  readonly requestId: string | undefined;

  constructor(
    operation: OperationName,
    readonly response: ApiResponse,
    problem = 'is not from Animal Store; check the proxies in front of the service',
  ) {
    super(operation, `The response to ${operation} (status ${response.status}) ${problem}.`);
    this.status = response.status;
    this.requestId = response.requestId;
  }
}

/**
 * Creates the error for a response. `retryAfterSeconds` is how much of the wait is left that the response asks for.
 */
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
    return new RateLimitError({
      ...(body ?? { code: 'too_many_requests', message: 'Too many requests.' }),
      ...shared,
      retryAfterSeconds,
      resetAt: headers?.resetAt ?? new Date(receivedAtMs + retryAfterSeconds * 1000),
      limit: headers?.limit,
    });
  }
  if (body !== undefined) {
    // A 410 does not pause the client, but its error says how long the brownout lasts.
    const seconds = retryAfterSeconds ?? retryAfterSecondsOf(received);
    return new ApiError({ ...body, ...shared, retryAfterSeconds: seconds });
  }
  // Browsers report status 0 for a redirect that was not followed.
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  const problem = isRedirect ? 'is a redirect; set baseUrl to its target' : undefined;
  return new UnexpectedResponseError(operation, response, problem);
}
