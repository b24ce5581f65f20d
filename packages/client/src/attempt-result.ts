import {
  type AnimalStoreError,
  ApiError,
  ConnectionError,
  type OperationName,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
import { pauseSecondsOf, rateLimitHeadersOf, retryAfterSecondsOf } from './rate-limit-headers.ts';
import { errorBodyOf, type ReceivedResponse, withoutBody } from './response.ts';

/** How one attempt of a call ended. */
export type AttemptResult =
  | { readonly kind: 'responded'; readonly response: ReceivedResponse }
  // `aborted`: by the caller, and `cause` is the reason. `unsent`: aborted before sending.
  | { readonly kind: 'failed' | 'timed-out' | 'aborted' | 'unsent'; readonly cause: unknown };

/** The error for an attempt that did not succeed. */
export function errorFromAttempt(
  result: AttemptResult,
  operation: OperationName,
): AnimalStoreError {
  if (result.kind === 'responded') return errorFromResponse(result.response, operation);
  const { kind, cause } = result;
  if (kind === 'timed-out') {
    const message = `${operation} timed out: no complete response arrived within timeoutSeconds.`;
    return new TimeoutError(operation, message, { cause });
  }
  const message = `The connection failed before ${operation} got a response. See the cause.`;
  return new ConnectionError(operation, message, { cause });
}

/** `retryAfterSeconds` is the part of the response's wait that is still left. */
export function errorFromResponse(
  response: ReceivedResponse,
  operation: OperationName,
  retryAfterSeconds = pauseSecondsOf(response),
): AnimalStoreError {
  const { status, requestId, receivedAtMs } = response;
  const shared = { operation, status, requestId, response: withoutBody(response) };
  const body = errorBodyOf(response);
  if (status === 429 && retryAfterSeconds !== undefined) {
    const headers = rateLimitHeadersOf(response);
    const resetAtMs = headers
      ? headers.resetAtSeconds * 1000
      : receivedAtMs + retryAfterSeconds * 1000;
    return new RateLimitError({
      ...(body ?? { code: 'too_many_requests', message: 'Too many requests.' }),
      ...shared,
      retryAfterSeconds,
      resetAt: new Date(resetAtMs),
      limit: headers?.limit,
    });
  }
  if (body !== undefined) {
    // A 410 pauses nothing, but its caller learns how long the rehearsal of a removal lasts.
    const seconds = retryAfterSeconds ?? retryAfterSecondsOf(response);
    return new ApiError({ ...body, ...shared, retryAfterSeconds: seconds });
  }
  return new UnexpectedResponseError(operation, response, problemWith(status));
}

function problemWith(status: number): string {
  // Browsers report status 0 for a redirect that was not followed.
  return status === 0 || (status >= 300 && status < 400)
    ? 'is a redirect; set baseUrl to its target'
    : 'is not from Animal Store; check the proxies in front of the service';
}
