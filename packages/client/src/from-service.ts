import { petFrom } from './pet-json.ts';
import { pauseSecondsOf, rateLimitHeadersOf } from './rate-limit-headers.ts';
import { bodyOf, errorBodyOf, type ReceivedResponse } from './response.ts';

/**
 * True if the service itself responded. A proxy's own response can hide a 429: a gateway error, a
 * 503 without `Retry-After`, a login page.
 */
export function isFromService(response: ReceivedResponse): boolean {
  if (pauseSecondsOf(response) !== undefined || rateLimitHeadersOf(response) !== undefined) {
    return true;
  }
  if (!isSuccess(response)) return errorBodyOf(response) !== undefined;
  const body = bodyOf(response);
  return Array.isArray(body) || petFrom(body) !== undefined;
}

export function isSuccess({ status }: ReceivedResponse): boolean {
  return status >= 200 && status < 300;
}
