import type { z } from 'zod';
import { BAN_RULES } from '#domain/ban.ts';
import type { Environment } from '#domain/environment.ts';
import { IdempotencyKeyReusedError, StoreUnavailableError } from '#domain/error.ts';
import { secretFormat } from '#domain/key-secret.ts';
import { PET_STATUS_RULE, problemsOf } from '#domain/pet.ts';
import { formatDay, formatTime } from '#domain/time-text.ts';
import { MAX_JSON_DEPTH } from '#formats/json.ts';
import {
  API_PREFIX,
  BODY_DEADLINE_SECONDS,
  type Deprecation,
  DOCUMENT,
  GET_PET_DEPRECATION,
  MAX_BODY_BYTES,
  MAX_BODY_PIECES,
  MAX_BODY_VALUES,
  OVERVIEW,
} from './api.ts';
import { limit } from './parameters.ts';

const BANNED =
  'The API key is temporarily banned because its client kept sending after 429 responses.';
const WAIT = 'Wait for the time in Retry-After. If refused again, back off exponentially.';

/** Writes a number as 1,000. With `toLocaleString`, this would take 5 % of the CPU time of a 429. */
const format = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** The limit and the seconds to wait in the example of each refusal. */
export const EXAMPLE_REFUSALS = {
  rate_limit_minute: [60, 37],
  rate_limit_day: [1_000, 29_312],
  api_key_banned: [60, BAN_RULES.firstBanSeconds],
} satisfies Record<string, [number, number]>;

/** Every error: its status, what it means, what to do about it, its message, and an example of the message. */
export const ERRORS = {
  malformed_json: define({
    status: 400,
    meaning: `The body is empty, not JSON in UTF-8, nested deeper than ${MAX_JSON_DEPTH} levels, has more than ${MAX_BODY_VALUES} values, arrives in more than ${MAX_BODY_PIECES} chunks or packets, or repeats a field.`,
    remedy: 'Send one JSON object in UTF-8.',
    message: (problem: string) => `The body ${problem}.`,
    details: ['is empty; send a JSON object'],
  }),
  validation_failed: define({
    status: 400,
    meaning: 'A field of the body is missing or has an invalid value.',
    remedy: 'The message names every invalid field and the values it allows.',
    message: (problems: readonly string[]) => `${problems.join('; ')}.`,
    details: [['name is required', `status ${PET_STATUS_RULE}`]],
  }),
  invalid_parameter: define({
    status: 400,
    meaning: 'A query parameter or header has an invalid value.',
    remedy: 'The message names the parameter and the values it allows. Send each only once.',
    message: (parameter: string, rule: string) => `The ${parameter} ${rule}.`,
    details: ['query parameter limit', limit.rule],
  }),
  missing_api_key: defineFixed({
    status: 401,
    meaning: 'The request has no API key.',
    remedy: 'Send the header "Authorization: Bearer <API key>".',
  }),
  invalid_api_key: define({
    status: 401,
    meaning: 'The service did not issue this API key.',
    remedy: 'Check that you copied the whole key, and that it belongs to this service.',
    message: invalidKey,
    details: [],
  }),
  expired_api_key: defineFixed({
    status: 401,
    meaning: 'The API key has expired.',
    remedy: 'Use a newer key. The operator of the service can create one.',
  }),
  revoked_api_key: defineFixed({
    status: 401,
    meaning: 'The API key has been revoked.',
    remedy: 'Use another key. The operator of the service can create one.',
  }),
  account_suspended: defineFixed({
    status: 401,
    meaning: 'The operator of the service has suspended the account of the API key.',
    remedy:
      'Contact the operator of the service. The same key works again once they resume the account.',
  }),
  read_only_key: defineFixed({
    status: 403,
    meaning: 'The API key can only read.',
    remedy: 'Use another key. The operator of the service can create one that can also write.',
  }),
  pet_not_found: defineFixed({
    status: 404,
    meaning: 'No pet has this id.',
    remedy: `Check the id. GET ${API_PREFIX}/pets lists the pets that exist.`,
  }),
  route_not_found: define({
    status: 404,
    meaning: 'The API has no such path.',
    remedy: `Check the path. Every path starts with ${API_PREFIX}.`,
    message: (
      advice = `Pets are at ${API_PREFIX}/pets. ${OVERVIEW} and ${DOCUMENT} describe the API.`,
    ) => `Nothing is at this path. ${advice}`,
    details: [],
  }),
  method_not_allowed: define({
    status: 405,
    meaning: 'The path does not support this method.',
    remedy: 'The Allow header lists the methods that the path supports.',
    message: (allow: readonly string[]) => `This path supports only ${allow.join(', ')}.`,
    details: [['GET', 'HEAD', 'POST', 'OPTIONS']],
  }),
  request_timeout: defineFixed({
    status: 408,
    meaning: `The body did not arrive within ${BODY_DEADLINE_SECONDS} seconds.`,
    remedy: 'Send the request again over a faster connection.',
  }),
  operation_removed: define({
    status: 410,
    meaning:
      'The operation has been removed. With a Retry-After header, this is a brownout, a planned outage ' +
      'before the removal: the operation works again after that time.',
    remedy: 'Use the replacement that the message names.',
    message: (operation: string, { removedAt, advice }: Deprecation, brownoutEndMs?: number) => {
      const state =
        brownoutEndMs === undefined
          ? 'was removed'
          : `is in a brownout until ${formatTime(brownoutEndMs)}, before its removal`;
      return `${operation} ${state} on ${formatDay(removedAt)}. ${advice.replaceAll('`', '')}`;
    },
    details: [`GET ${API_PREFIX}/pets/{petId}`, GET_PET_DEPRECATION],
  }),
  payload_too_large: defineFixed({
    status: 413,
    meaning: `The body is larger than ${format(MAX_BODY_BYTES)} bytes.`,
    remedy: 'Send a smaller body. A pet takes a few hundred bytes.',
  }),
  unsupported_media_type: defineFixed({
    status: 415,
    meaning: 'The body is compressed, or not declared as JSON in UTF-8.',
    remedy: 'Send "Content-Type: application/json" and do not compress the body.',
  }),
  idempotency_key_reused: defineFixed({
    status: 422,
    meaning: 'The Idempotency-Key was used for a different pet in the last 24 hours.',
    remedy: 'Send the first body again to repeat that request, or use a new key to add a pet.',
  }),
  rate_limit_minute: define({
    status: 429,
    meaning: 'The account has used all its requests for this minute.',
    remedy: WAIT,
    message: windowIsUsedUp('minute'),
    details: EXAMPLE_REFUSALS.rate_limit_minute,
  }),
  rate_limit_day: define({
    status: 429,
    meaning: 'The account has used all its requests for this day.',
    remedy: `${WAIT} The day starts at midnight UTC.`,
    message: windowIsUsedUp('day'),
    details: EXAMPLE_REFUSALS.rate_limit_day,
  }),
  api_key_banned: define({
    status: 429,
    meaning: BANNED,
    remedy: `${WAIT} A client that waits is never banned, even with ${BAN_RULES.mostInFlight} requests in flight.`,
    message: (retryAfterSeconds: number) => `${BANNED} ${waitMessage(retryAfterSeconds)}`,
    details: [EXAMPLE_REFUSALS.api_key_banned[1]],
  }),
  internal_error: defineFixed({
    status: 500,
    meaning: 'The service failed. The request was not at fault.',
    remedy: 'Try again later. If it keeps failing, report the X-Request-Id to the operator.',
  }),
  service_unavailable: define({
    status: 503,
    meaning: 'The service cannot reach its store right now, or has too many requests in progress.',
    remedy: 'Try again after the time in Retry-After. Nothing that was confirmed is lost.',
    message: () => 'The service is unavailable. Try again shortly.',
    details: [],
  }),
};

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

type Details<Code extends ErrorCode> = Parameters<(typeof ERRORS)[Code]['message']>;

/** An error as the caller sees it. The message leaves the service, so it never quotes input. */
export interface Problem {
  readonly status: number;
  /** The Error object of the API, serialized. */
  readonly body: string;
  readonly error: ErrorCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number | undefined;
}

export function problem<Code extends ErrorCode>(code: Code, ...details: Details<Code>): Problem {
  const write = ERRORS[code].message as (...details: Details<Code>) => string;
  const message = write(...details);
  const body = errorBody(code, message);
  return { status: body.status, body: JSON.stringify(body), error: code, message };
}

/** Thrown to end a request with a problem. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The error for a body that its schema refuses. Its message names every invalid field. */
export function invalidBody(error: z.ZodError): Problem {
  return problem('validation_failed', problemsOf(error, 'The body'));
}

export const SERVICE_UNAVAILABLE = { ...problem('service_unavailable'), retryAfterSeconds: 1 };

/**
 * Shows the caller an expected error, and hides any other. The fault is the part of the thrown value that the log
 * needs. A mistake of the caller is not a fault.
 */
export function failureOf(thrown: unknown): { readonly shown: Problem; readonly fault?: unknown } {
  if (thrown instanceof AppError) return { shown: thrown.problem };
  if (thrown instanceof IdempotencyKeyReusedError)
    return { shown: problem('idempotency_key_reused') };
  return thrown instanceof StoreUnavailableError
    ? { shown: SERVICE_UNAVAILABLE, fault: thrown.cause }
    : { shown: problem('internal_error'), fault: thrown };
}

/** The Error object of the API. */
export function errorBody(code: ErrorCode, message: string) {
  return { code, message, status: ERRORS[code].status };
}

interface Definition {
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
}

/** Defines an error whose message has details. The example is made with typical ones. */
function define<Details extends readonly unknown[]>({
  details,
  ...rest
}: Definition & {
  readonly message: (...details: Details) => string;
  readonly details: NoInfer<Details>;
}) {
  return { ...rest, example: rest.message(...details) };
}

/** Defines an error whose message always says what it means and what to do about it. */
function defineFixed(definition: Definition) {
  const message = `${definition.meaning} ${definition.remedy}`;
  return { ...definition, message: () => message, example: message };
}

/** `other` is the environment that the key belongs to, if it is not this one. */
function invalidKey(environment: Environment = 'production', other?: Environment): string {
  const format = secretFormat(environment);
  return other === undefined
    ? `This API key is not valid. Check that you copied all of it: ${format}.`
    : `This is a key of ${other}, and works only there. Use a key of ${environment} here: ${format}.`;
}

function windowIsUsedUp(window: 'minute' | 'day') {
  return (limit: number, retryAfterSeconds: number, limited = '') =>
    `The request limit of ${format(limit)} per ${window}${limited} is used up. ${waitMessage(retryAfterSeconds)}`;
}

function waitMessage(seconds: number): string {
  return `Retry after ${format(seconds)} s (see Retry-After). If refused again, back off exponentially.`;
}
