import type { Answer, Credential, Request } from './exchange.ts';
import type { Evidence } from './verdict.ts';

const MAX_CHARACTERS = 600;

const HEADERS_OF_INTEREST = [
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

const AUTHORIZATIONS: Readonly<Record<Credential, string>> = {
  key: 'Bearer $KEY',
  free: 'Bearer $KEY_FREE',
  wrong: 'Bearer $WRONG_KEY',
  bare: '$KEY',
  none: '',
};

/** A request and its answer, to be read by people. */
export interface ShownEvidence {
  /** To be pasted into a shell, which is to know the keys. */
  readonly request: string;
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

export function showEvidence(
  baseUrl: string,
  { request, answer }: Evidence,
  redact: (text: string) => string,
): ShownEvidence {
  return {
    request: redact(curl(baseUrl, request)),
    ...(answer !== undefined && { answer: showAnswer(answer, redact) }),
  };
}

/** For texts that are redacted already: of a key that is cut in two, the rest would stay. */
export function shorten(text: string): string {
  const more = text.length - MAX_CHARACTERS;
  return more > 0 ? `${text.slice(0, MAX_CHARACTERS)}… (${more} characters more)` : text;
}

function curl(baseUrl: string, { path, body, credential = 'key' }: Request): string {
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

function showAnswer({ status, headers, text }: Answer, redact: (text: string) => string) {
  const shown = HEADERS_OF_INTEREST.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, shorten(redact(value))]];
  });
  return { status, headers: Object.fromEntries(shown), body: shorten(redact(text)) };
}
