import type { Evidence } from './check-error.ts';
import { type ApiRequest, type ApiResponse, authorization, type Keys } from './round-trip.ts';

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

const SHELL_VARIABLES: Keys = {
  key: '$KEY',
  wrong: '$WRONG_KEY',
  free: '$KEY_FREE',
  pro: '$KEY_PRO',
  proDay: '$KEY_PRO_DAY',
  business: '$KEY_BUSINESS',
  businessDay: '$KEY_BUSINESS_DAY',
  enterprise: '$KEY_ENTERPRISE',
  enterpriseDay: '$KEY_ENTERPRISE_DAY',
};

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

function curl(baseUrl: string, { path, body, credential = 'key', testTime }: ApiRequest): string {
  const value = authorization(SHELL_VARIABLES, credential);
  return [
    'curl -i',
    quote(`${baseUrl}${path}`),
    ...(value === undefined ? [] : [`-H "Authorization: ${value}"`]),
    ...(testTime === undefined ? [] : [`-H 'X-Test-Time: ${testTime}'`]),
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
