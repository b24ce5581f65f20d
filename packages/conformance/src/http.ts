/** A JSON value whose integers are bigints, with every digit. */
export type Json = null | boolean | bigint | number | string | Json[] | JsonObject;

interface JsonObject {
  readonly [member: string]: Json;
}

/** The keys that a run can use. `key` is the key of most requests, and `read` is a read-only key. */
export const KEY_NAMES = ['key', 'free', 'pro', 'business', 'enterprise', 'read'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/** `wrong` is a key that the service does not know. `bare` sends the key without the word Bearer. */
export type Credential = KeyName | 'wrong' | 'bare' | 'none';

/** Returns the name of the environment variable that contains a key. */
export function variableOf(name: Credential): string {
  return name === 'key' ? 'ANIMAL_STORE_API_KEY' : `ANIMAL_STORE_API_KEY_${name.toUpperCase()}`;
}

export interface ApiRequest {
  /** Default: GET. */
  readonly method?: string;
  /** The path and query after the base address, or a complete address. */
  readonly path: string;
  readonly body?: string;
  /** Default: `key`. */
  readonly credential?: Credential;
  /** On staging, a text after the key that makes the request fail, such as `~rate_limit_day`. */
  readonly failure?: string;
  /** On staging, the value of X-Test-Time. */
  readonly testTime?: string | undefined;
}

export interface ApiResponse {
  readonly request: ApiRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: Json | undefined;
  /** On staging, this is the time on the test clock of the account. */
  readonly receivedAtMs: number;
}

/** An int64 has at most 19 digits. Without this limit, BigInt would be slow for a number with a million digits. */
const INTEGER = /^-?[0-9]{1,19}$/;

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  const exact = (_: string, value: Json, { source = '' }: { source?: string } = {}) => {
    if (typeof value !== 'number') return value;
    if (INTEGER.test(source)) return BigInt(source);
    // In JSON Schema, 7.0 is an integer too.
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  };
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

/** Writes a value as JSON, with every digit of a bigint. */
export function stringify(value: unknown): string {
  const exact = (_: string, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member;
  return JSON.stringify(value, exact) ?? 'nothing';
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isInt64(value: Json | undefined): value is bigint {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}

export function isSuccess({ status }: ApiResponse): boolean {
  return status < 300;
}

export function isClientError({ status }: ApiResponse): boolean {
  return status >= 400 && status < 500;
}

/** Returns Retry-After in seconds. Returns undefined unless the header contains seconds or an HTTP date. */
export function retryAfter({ headers, receivedAtMs }: ApiResponse): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const date = new Date(value);
  if (date.toUTCString() === value) {
    return Math.max(0, Math.ceil((date.getTime() - receivedAtMs) / 1000));
  }
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

/** The maximum number of characters that a report shows of a text. */
const MAX_SHOWN = 600;
/** Shorter keys are not removed from reports, because they protect nothing, and ordinary words could contain them. */
const MIN_SECRET = 8;

/**
 * Returns a function that removes keys from text that the service returned, because the service may echo them, also in
 * JSON or in a URL. Longer keys are replaced first, because one key may be the beginning of another, and the end of
 * the longer key would remain in the text. The text is shortened last, because a truncated key would not be found.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')])
    .sort((one, other) => other.length - one.length)
    .map(RegExp.escape);
  // If no key is long enough, the pattern must match nothing.
  const anyForm = new RegExp(forms.join('|') || '(?!)', 'gi');
  return (text) => {
    const redacted = text.replace(anyForm, '(key)');
    const more = redacted.length - MAX_SHOWN;
    return more > 0 ? `${redacted.slice(0, MAX_SHOWN)}… (${more} more characters)` : redacted;
  };
}
