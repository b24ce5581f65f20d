import type { JsonSchema } from './json-schema.ts';

/** A header of an answer, as the document describes it. */
export interface HeaderDefinition {
  /** The name on the wire, where one header has several uses. */
  readonly name?: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string | number;
  /** False where an answer may come without it. */
  readonly always: boolean;
}

/** The largest number that a count or a moment can be: the year 2106 as a Unix timestamp. */
const MAX_UINT32 = 2 ** 32 - 1;
const COUNT = { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_UINT32 } as const;
const LINE = { type: 'string', pattern: '^[\\x20-\\x7e]+$', maxLength: 2048 } as const;

/** What pages of other origins may read. Date tells them how far their clock is off from a reset. */
export const EXPOSED_HEADERS = [
  ...['Allow', 'Date', 'Deprecation', 'Idempotent-Replayed', 'Link', 'Location', 'Retry-After'],
  ...['Sunset', 'WWW-Authenticate', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'],
  ...['X-RateLimit-Reset', 'X-Request-Id'],
].join(', ');

/** Every header that answers carry, beside those of HTTP itself. */
export const HEADERS = {
  'X-RateLimit-Limit': {
    description:
      'How many requests the window in force admits. Of the two windows, minute and day, all three ' +
      'headers tell of the one that refused, else of the one with fewer requests left.',
    schema: COUNT,
    example: 60,
    always: true,
  },
  'X-RateLimit-Remaining': {
    description: 'How many requests that window still admits.',
    schema: COUNT,
    example: 59,
    always: true,
  },
  'X-RateLimit-Reset': {
    description:
      'The moment at which that window starts anew, as a Unix timestamp in seconds; for a banned ' +
      'key, the end of the ban.',
    schema: COUNT,
    example: 1_794_700_860,
    always: true,
  },
  'X-Request-Id': {
    description: 'Names this exchange in the logs of the service.',
    schema: { type: 'string', format: 'uuid', maxLength: 36 },
    example: '3f0e8a52-6c1d-4f6e-9b1a-0d5c2f7e4a90',
    always: true,
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of any origin may call the interface.',
    schema: { type: 'string', const: '*' },
    example: '*',
    always: true,
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that pages of other origins may read.',
    schema: LINE,
    example: EXPOSED_HEADERS,
    always: true,
  },
  'Cache-Control': {
    description: 'Errors are not to be kept.',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
    always: true,
  },
  'Retry-After': {
    description: 'How many whole seconds to wait before the next request.',
    schema: { ...COUNT, minimum: 1 },
    example: 37,
    always: true,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate; names `invalid_token` when a key was sent.',
    schema: LINE,
    example: 'Bearer realm="animal-store"',
    always: true,
  },
  LinkNext: {
    name: 'Link',
    description: 'The address of the next page, with `rel="next"`, while more animals follow.',
    schema: LINE,
    example: '<https://animal-store.example/v1/pets?limit=20&after=20>; rel="next"',
    always: false,
  },
  LinkHelp: {
    name: 'Link',
    description: 'The address of a page that explains the error, with `rel="help"`.',
    schema: LINE,
    example: '<https://animal-store.example/docs/errors#invalid_api_key>; rel="help"',
    always: true,
  },
  LinkSuccessor: {
    name: 'Link',
    description:
      'What replaces the operation, with `rel="successor-version"`; with an error, `rel="help"` as well.',
    schema: LINE,
    example: '<https://animal-store.example/v1/pets>; rel="successor-version"',
    always: true,
  },
  Location: {
    description: 'The address of the new animal.',
    schema: { type: 'string', format: 'uri', maxLength: 2048 },
    example: 'https://animal-store.example/v1/pets/42',
    always: true,
  },
  'Idempotent-Replayed': {
    description: 'The animal was added by an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
    always: false,
  },
  Deprecation: {
    description: 'Since when the operation is deprecated: `@` and a Unix timestamp (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$', maxLength: 12 },
    example: '@1794614400',
    always: true,
  },
  Sunset: {
    description: 'When the operation is removed, as an HTTP date (RFC 8594).',
    schema: { type: 'string', pattern: 'GMT$', maxLength: 29 },
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
    always: true,
  },
} as const satisfies Record<string, HeaderDefinition>;

export type HeaderName = keyof typeof HEADERS;

export const HEADERS_OF_EVERY_ANSWER = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const satisfies HeaderName[];

export const HEADERS_OF_DEPRECATION = [
  'Deprecation',
  'Sunset',
  'LinkSuccessor',
] as const satisfies HeaderName[];

/** What an error carries beside the headers of every answer. */
export function headersOfError(status: number): HeaderName[] {
  const names: HeaderName[] = ['Cache-Control', 'LinkHelp'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return names;
}

/** As it stands in an answer. */
export function wireName(header: HeaderName): string {
  const { name }: HeaderDefinition = HEADERS[header];
  return name ?? header;
}
