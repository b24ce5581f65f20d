import { petFromJson } from './pet-json.ts';
import { pauseSecondsOf, rateLimitHeadersOf } from './rate-limit-headers.ts';
import { bodyOf, errorBodyOf, type ReceivedResponse } from './response.ts';

/**
 * True if the service itself responded. A proxy's own response can hide a 429: a gateway error, a
 * 503 without `Retry-After`, a login page.
 */
export function isFromService(response: ReceivedResponse): boolean {
  const { status } = response;
  if (status === 502 || status === 504) return false;
  if (status === 429 || status === 503) return pauseSecondsOf(response) !== undefined;
  if (rateLimitHeadersOf(response) !== undefined || errorBodyOf(response) !== undefined)
    return true;
  const body = bodyOf(response) ?? null;
  return isSuccess(response) && (Array.isArray(body) || petFromJson(body) !== undefined);
}

export function isSuccess({ status }: ReceivedResponse): boolean {
  return status >= 200 && status < 300;
}
