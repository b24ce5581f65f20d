import type { Evidence } from './check-error.ts';
import { type ApiRequest, type ApiResponse, authorizations } from './round-trip.ts';

const MAX_CHARACTERS = 600;

const SHOWN_HEADERS = [
  'Content-Type',
  'Deprecation',
  'Link',
  'Location',
  'Retry-After',
  'Sunset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

const AUTHORIZATIONS = authorizations('$KEY', '$KEY_FREE', '$WRONG_KEY');

/** Evidence for people to read, without keys. */
export interface FormattedEvidence {
  /** A curl command that expects the keys in shell variables. */
  readonly request: string;
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

export function formatEvidence(
  baseUrl: string,
  { request, response }: Evidence,
  redact: (text: string) => string,
): FormattedEvidence {
  return {
    request: redact(curl(baseUrl, request)),
    ...(response !== undefined && { response: formatResponse(response, redact) }),
  };
}

/** Redact the text first: the redactor does not find a key that is cut in two. */
export function truncate(text: string): string {
  const more = text.length - MAX_CHARACTERS;
  return more > 0 ? `${text.slice(0, MAX_CHARACTERS)}… (${more} more characters)` : text;
}

function curl(baseUrl: string, { path, body, credential = 'key' }: ApiRequest): string {
  const authorization = AUTHORIZATIONS[credential];
  return [
    'curl -i',
    quote(`${baseUrl}${path}`),
    ...(authorization === '' ? [] : [`-H "Authorization: ${authorization}"`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(body)}`]),
  ].join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function formatResponse({ status, headers, text }: ApiResponse, redact: (text: string) => string) {
  const shown = SHOWN_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, truncate(redact(value))]];
  });
  return { status, headers: Object.fromEntries(shown), body: truncate(redact(text)) };
}
