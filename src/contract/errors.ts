import { SECRET_FORMAT } from '../domain/api-key.ts';
import { BAN_RULES } from '../domain/ban.ts';
import type { ErrorCode } from '../domain/error.ts';
import type { JsonSchema } from './json-schema.ts';

export interface ErrorDefinition {
  readonly status: number;
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
  /** A message as the service writes it. */
  readonly example: string;
}

const WAIT = 'Wait as long as Retry-After says; if refused again, back off exponentially.';

/** What each code means and the status it travels with: the only place that pairs them. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorDefinition>> = {
  malformed_json: {
    status: 400,
    meaning: 'The body is empty, not JSON in UTF-8, gives a member twice or is nested too deeply.',
    remedy: 'Send one JSON object, in UTF-8.',
    example: 'The body is empty. Send a JSON object.',
  },
  validation_failed: {
    status: 400,
    meaning: 'A field of the body is missing or has a wrong value.',
    remedy: 'The message names every wrong field and what is allowed there.',
    example: 'name is required; status must be one of available, pending, sold.',
  },
  invalid_parameter: {
    status: 400,
    meaning: 'A query parameter or header has a wrong value.',
    remedy: 'The message names the parameter and what is allowed. Each may be given once.',
    example: 'The query parameter limit must be an integer from 1 to 100.',
  },
  missing_api_key: {
    status: 401,
    meaning: 'No API key was sent as a bearer token.',
    remedy: 'Send the header "Authorization: Bearer <API key>".',
    example: 'This request needs an API key. Send it as "Authorization: Bearer <API key>".',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The API key is not one of this service.',
    remedy: 'Check that the key was copied whole, and that it belongs to this service.',
    example: `This API key is not valid. Check that it was copied whole: it is ${SECRET_FORMAT}.`,
  },
  expired_api_key: {
    status: 401,
    meaning: 'The API key was valid once, and has run out.',
    remedy: 'Use a newer key; whoever runs the service can make one.',
    example: 'This API key has expired. Use a newer one.',
  },
  revoked_api_key: {
    status: 401,
    meaning: 'The API key was withdrawn.',
    remedy: 'Use another key; whoever runs the service can make one.',
    example: 'This API key has been revoked. Use another one.',
  },
  pet_not_found: {
    status: 404,
    meaning: 'No animal has this identifier.',
    remedy: 'Check the identifier; the list of animals has those that exist.',
    example: 'No animal has this identifier.',
  },
  route_not_found: {
    status: 404,
    meaning: 'The interface has no such path.',
    remedy: 'Check the path. Every one begins with /v1.',
    example: 'There is nothing at this path. Animals are at /v1/pets.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method.',
    remedy: 'The Allow header has the methods of the path.',
    example: 'This path takes only GET, HEAD, POST, OPTIONS.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The body did not arrive in time.',
    remedy: 'Send it again, on a better connection.',
    example: 'The body must arrive within 30 seconds.',
  },
  operation_removed: {
    status: 410,
    meaning: 'The operation has been removed for good.',
    remedy: 'The message names what to use instead.',
    example:
      'GET /v1/pets/{petId} was removed on 2030-12-05. Use GET /v1/pets with the status filter; ' +
      'after={petId - 1}&limit=1 reads one animal.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than the service reads.',
    remedy: 'Send a smaller one: an animal needs a few hundred bytes.',
    example: 'The body must be at most 65536 bytes.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is compressed, or not declared as JSON in UTF-8.',
    remedy: 'Send "Content-Type: application/json", and the body uncompressed.',
    example: 'The body must be JSON in UTF-8, sent with "Content-Type: application/json".',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The Idempotency-Key was used before, with another body.',
    remedy: 'Send the earlier body to repeat that request, or a new key to add another animal.',
    example:
      'This Idempotency-Key was used for a different animal in the last 24 hours. ' +
      'Send the same body to repeat that request, or a new key to add another animal.',
  },
  rate_limit_minute: {
    status: 429,
    meaning: 'The requests of this minute are used up.',
    remedy: WAIT,
    example:
      'All 60 requests of this minute are used up. Retry after 37 seconds, as Retry-After says; ' +
      'if refused again, back off exponentially.',
  },
  rate_limit_day: {
    status: 429,
    meaning: 'The requests of this day are used up.',
    remedy: `${WAIT} The day begins at midnight UTC.`,
    example:
      'All 1000 requests of this day are used up. Retry after 29312 seconds, as Retry-After says; ' +
      'if refused again, back off exponentially.',
  },
  api_key_banned: {
    status: 429,
    meaning: 'The key kept sending after it was told to wait, and is banned for a while.',
    remedy: `${WAIT} A client that waits, with up to ${BAN_RULES.mostInFlight} requests under way, is never banned.`,
    example:
      'This API key is banned for a while, because it kept sending after 429 answers. ' +
      'Retry after 300 seconds, as Retry-After says; if refused again, back off exponentially.',
  },
  internal_error: {
    status: 500,
    meaning: 'The service failed; the fault is not in the request.',
    remedy: 'Try again later. If it persists, tell whoever runs the service the X-Request-Id.',
    example:
      'Something went wrong on our side. Try again; if it persists, tell us the X-Request-Id.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service cannot reach its store just now.',
    remedy: 'Try again after as long as Retry-After says. Nothing that was confirmed is lost.',
    example: 'The store cannot be reached. Try again shortly.',
  },
};

/** The Error object of the interface. */
export function errorBody(code: ErrorCode, message: string) {
  return { code, message, status: ERRORS[code].status };
}

export function errorSchema(): JsonSchema {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
  );
  return {
    type: 'object',
    description: 'What went wrong. Further codes may be added.',
    required: ['code', 'message', 'status'],
    properties: {
      code: {
        type: 'string',
        description: ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n'),
        pattern: '^[a-z]+(_[a-z]+)*$',
        maxLength: 64,
        examples: Object.keys(ERRORS),
      },
      message: {
        type: 'string',
        description: 'What is wrong and what to do, for a person.',
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
        maxLength: 1024,
      },
      status: {
        type: 'integer',
        format: 'int32',
        minimum: 400,
        maximum: 599,
        description: 'The HTTP status of the answer.',
      },
    },
  };
}
