import type { ErrorCode } from '../domain/error.ts';

export interface ErrorDefinition {
  readonly status: number;
  readonly meaning: string;
}

/** What each code means and the status it travels with: the only place that pairs them. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorDefinition>> = {
  malformed_json: { status: 400, meaning: 'The body is empty, not JSON, or not UTF-8.' },
  validation_failed: {
    status: 400,
    meaning: 'A field of the body is missing or has a wrong value.',
  },
  invalid_parameter: { status: 400, meaning: 'A query parameter or header has a wrong value.' },
  missing_api_key: { status: 401, meaning: 'No API key was sent as a bearer token.' },
  invalid_api_key: { status: 401, meaning: 'The API key is not one of this service.' },
  expired_api_key: { status: 401, meaning: 'The API key was valid once, and has run out.' },
  revoked_api_key: { status: 401, meaning: 'The API key was withdrawn.' },
  pet_not_found: { status: 404, meaning: 'No animal has this identifier.' },
  route_not_found: { status: 404, meaning: 'The interface has no such path.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but not with this method.' },
  request_timeout: { status: 408, meaning: 'The body did not arrive in time.' },
  operation_removed: { status: 410, meaning: 'The operation has been removed for good.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than the service reads.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not declared as application/json.' },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The Idempotency-Key was used before, with another body.',
  },
  rate_limit_minute: { status: 429, meaning: 'The requests of this minute are used up.' },
  rate_limit_day: { status: 429, meaning: 'The requests of this day are used up.' },
  api_key_banned: {
    status: 429,
    meaning: 'The key kept sending after it was told to wait, and is banned for a while.',
  },
  internal_error: { status: 500, meaning: 'The service failed; the fault is not in the request.' },
  service_unavailable: { status: 503, meaning: 'The service cannot reach its store just now.' },
};

/** The Error object of the interface. */
export function errorToJson(code: ErrorCode, message: string): string {
  return JSON.stringify({ code, message, status: ERRORS[code].status });
}
