/** Every way a request can fail. `contract/errors.ts` gives each its status and its meaning. */
export type ErrorCode =
  | 'malformed_json'
  | 'validation_failed'
  | 'invalid_parameter'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'expired_api_key'
  | 'revoked_api_key'
  | 'pet_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'operation_removed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limit_minute'
  | 'rate_limit_day'
  | 'api_key_banned'
  | 'internal_error'
  | 'service_unavailable';

/** What a caller is told of a failure. The message leaves the service, so it never quotes input. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** A problem that ends what was going on. */
export class AppError extends Error implements Problem {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The store cannot be read or written just now; `cause` is for the log. */
export function storeUnavailable(cause: unknown): AppError {
  return new AppError('service_unavailable', 'The store cannot be reached. Try again shortly.', {
    retryAfterSeconds: 1,
    cause,
  });
}

/** Something the operator asked for that cannot be: one line on the terminal, never over HTTP. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
