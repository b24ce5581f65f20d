import { CHANGES_PAGE, ERRORS_PAGE, GET_PET_DEPRECATION } from './api.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import type { JsonSchema } from './schemas.ts';

/** A response header, as the OpenAPI document describes it. */
export interface HeaderDefinition {
  /** The name in a response, if it differs from the key because the header has several uses. */
  readonly name?: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string | number;
  /** Set if a response may lack the header. */
  readonly optional?: true;
}

/** The address of the deployment that the examples show. */
export const EXAMPLE_URL = 'https://animal-store.example';

/** A header that always has the same value. */
export function constant(value: string) {
  return { schema: { type: 'string', const: value }, example: value };
}

/** The largest count or time. As a Unix timestamp, it is a moment in the year 2106. */
const MAX_UINT32 = 2 ** 32 - 1;
const COUNT = { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_UINT32 } as const;
const LINE = { type: 'string', pattern: '^[\\x20-\\x7e]+$', maxLength: 2048 } as const;

/**
 * The response headers that pages of other origins may read. With Date, a page can correct its clock before
 * it computes how long to wait for a reset.
 */
const EXPOSED_HEADERS =
  'Accept-Encoding, Allow, Date, Deprecation, Idempotent-Replayed, Link, Location, RateLimit, ' +
  'RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-RateLimit-Limit, ' +
  'X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';

/** Any origin may call the API, because a browser never adds an API key to a request by default. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
} as const;

/** Browsers must not guess the type of a response. */
export const SNIFFING_HEADERS = { 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * For a year, browsers use this host only with TLS. The rule does not include subdomains, which may belong
 * to other services.
 */
export const TLS_HEADERS = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

/** API responses must not be cached, because each one carries the limits of one account at one moment. */
export const CACHE_HEADERS = { 'Cache-Control': 'no-store' } as const;

/**
 * Sets the date of a response to HEAD, or of a response in test time. The runtime sets it for all other
 * responses.
 */
export function withDate(response: Response, nowMs: number): Response {
  response.headers.set('Date', new Date(nowMs).toUTCString());
  return response;
}

/** The headers of every API response. */
const COMMON = {
  'X-RateLimit-Limit': {
    description:
      'Requests allowed in the current window. The `X-RateLimit` headers describe one of two windows, ' +
      'minute or day: the one that refused the request, else the one with fewer requests left.',
    schema: COUNT,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in that window.',
    schema: COUNT,
    example: 59,
  },
  'X-RateLimit-Reset': {
    description:
      'When that window resets, as a Unix timestamp in seconds. For a banned key, when the ban ends.',
    schema: COUNT,
    example: 1_794_700_860,
  },
  'RateLimit-Policy': {
    description: 'The limits of both windows: `q` requests in `w` seconds.',
    schema: LINE,
    example: '"minute";q=60;w=60, "day";q=1000;w=86400',
    optional: true,
  },
  RateLimit: {
    description:
      'What is left of both windows, if it is known: `r` requests until the reset in `t` seconds.',
    schema: LINE,
    example: '"minute";r=59;t=37, "day";r=912;t=40712',
    optional: true,
  },
  'X-Request-Id': {
    description: 'Identifies this request in the logs of the service.',
    schema: { type: 'string', format: 'uuid', maxLength: 36 },
    example: '3f0e8a52-6c1d-4f6e-9b1a-0d5c2f7e4a90',
  },
  'Access-Control-Allow-Origin': {
    description: 'Any origin may call the API (CORS).',
    ...constant('*'),
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that other origins may read.',
    schema: LINE,
    example: EXPOSED_HEADERS,
  },
  'Cache-Control': {
    description: 'Do not cache API responses: each one has the limits of that moment.',
    ...constant(CACHE_HEADERS['Cache-Control']),
  },
  'X-Content-Type-Options': {
    description: 'Browsers must not guess a type other than `Content-Type`.',
    ...constant(SNIFFING_HEADERS['X-Content-Type-Options']),
  },
} as const satisfies Record<string, HeaderDefinition>;

export const COMMON_HEADERS = Object.keys(COMMON) as (keyof typeof COMMON)[];

/** Every response header of the API, except those of HTTP itself. */
export const HEADERS = {
  ...COMMON,
  'Accept-Encoding': {
    description: 'The body of the request was compressed. Send it uncompressed.',
    ...constant('identity'),
    optional: true,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { ...COUNT, minimum: 1 },
    example: 37,
  },
  RetryAfterBrownout: {
    name: 'Retry-After',
    description: 'In a brownout, seconds until it ends. Absent after the removal.',
    schema: { ...COUNT, minimum: 1 },
    example: 900,
    optional: true,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate. When a key was sent, it has `error="invalid_token"`.',
    schema: LINE,
    example: 'Bearer realm="animal-store"',
  },
  InsufficientScope: {
    name: 'WWW-Authenticate',
    description: 'With 403, it says that the key can only read.',
    ...constant('Bearer error="insufficient_scope"'),
  },
  LinkNext: {
    name: 'Link',
    description: 'The URL of the next page, with `rel="next"`, while more pets follow.',
    schema: LINE,
    example: `<${EXAMPLE_URL}/v1/pets?limit=20&after=20>; rel="next"`,
    optional: true,
  },
  LinkHelp: {
    name: 'Link',
    description: 'The URL of a page that explains the error, with `rel="help"`.',
    schema: LINE,
    example: helpLink('invalid_api_key', EXAMPLE_URL),
  },
  LinkSuccessor: {
    name: 'Link',
    description:
      'The replacement, with `rel="successor-version"`, and the announcement, with ' +
      '`rel="deprecation"`. An error adds `rel="help"`.',
    schema: LINE,
    example: `<${EXAMPLE_URL}/v1/pets>; rel="successor-version", ${announcementLink(EXAMPLE_URL)}`,
  },
  Location: {
    description: 'The URL of the new pet.',
    schema: { type: 'string', format: 'uri', maxLength: 2048 },
    example: `${EXAMPLE_URL}/v1/pets/42`,
  },
  'Idempotent-Replayed': {
    description: 'An earlier request with the same `Idempotency-Key` created this pet.',
    ...constant('true'),
    optional: true,
  },
  Deprecation: {
    description: 'When the operation was deprecated: `@` and a Unix timestamp (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$', maxLength: 12 },
    example: '@1794614400',
  },
  Sunset: {
    description: 'When the operation will be removed, as an HTTP date (RFC 8594).',
    schema: { type: 'string', pattern: 'GMT$', maxLength: 29 },
    example: GET_PET_DEPRECATION.removedAt.toUTCString(),
  },
} as const satisfies Record<string, HeaderDefinition>;

export type HeaderName = keyof typeof HEADERS;

export const DEPRECATION_HEADERS = [
  'Deprecation',
  'Sunset',
  'LinkSuccessor',
] as const satisfies HeaderName[];

const HEADERS_OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['InsufficientScope'],
  410: ['RetryAfterBrownout'],
  415: ['Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of an error, in addition to the common ones. */
export function errorHeaderNames(status: number): HeaderName[] {
  return ['LinkHelp', ...(HEADERS_OF_STATUS[status] ?? [])];
}

/** The values of the headers of an error that depend only on its code. */
export function fixedErrorHeaders(code: ErrorCode, publicUrl: string): Record<string, string> {
  const names = errorHeaderNames(ERRORS[code].status).map(wireName);
  return {
    Link: helpLink(code, publicUrl),
    ...(names.includes('WWW-Authenticate') && { 'WWW-Authenticate': challenge(code) }),
  };
}

/** The link to the explanation of an error. */
function helpLink(code: ErrorCode, publicUrl: string): string {
  return `<${publicUrl}${ERRORS_PAGE}#${code}>; rel="help"`;
}

/** The link to the announcement that an operation is deprecated (RFC 9745). */
export function announcementLink(publicUrl: string): string {
  return `<${publicUrl}${CHANGES_PAGE}#deprecations>; rel="deprecation"`;
}

/** Returns the name that a header has in a response. */
export function wireName(header: string): string {
  const definitions: Readonly<Record<string, HeaderDefinition>> = HEADERS;
  return definitions[header]?.name ?? header;
}

/** Says how to authenticate. By RFC 6750, only the response to a request with a token names an error. */
function challenge(code: ErrorCode): string {
  if (code === 'read_only_key') return HEADERS.InsufficientScope.example;
  const realm = HEADERS['WWW-Authenticate'].example;
  return code === 'missing_api_key' ? realm : `${realm}, error="invalid_token"`;
}
