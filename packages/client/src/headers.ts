import { parseInt64 } from './json.ts';
import type { ReceivedResponse } from './response.ts';

/** The `X-RateLimit-*` headers of a response. */
export interface RateLimitHeaders {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtSeconds: number;
  /** Counted from the arrival of the response. */
  readonly resetInMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The only date format that servers send. `Date.parse` alone would also accept `5.5`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Undefined unless all three headers are valid. */
export function rateLimitHeadersOf(response: ReceivedResponse): RateLimitHeaders | undefined {
  const limit = wholeNumber(response, 'x-ratelimit-limit');
  const remaining = wholeNumber(response, 'x-ratelimit-remaining');
  const resetAtSeconds = wholeNumber(response, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetAtSeconds === undefined) {
    return undefined;
  }
  // No window is longer than a day, and a wrong date must not stop the client for years.
  const resetInMs = Math.min(DAY_MS, resetAtSeconds * 1000 - sentAtMs(response));
  return { limit, remaining, resetAtSeconds, resetInMs };
}

/** How long a 429 or 503 tells the client to send nothing. Undefined for other responses. */
export function pauseSecondsOf(response: ReceivedResponse): number | undefined {
  const { status } = response;
  if (status !== 429 && status !== 503) return undefined;
  const retryAfterSeconds = retryAfterSecondsOf(response);
  if (retryAfterSeconds !== undefined || status === 503) return retryAfterSeconds;
  // Without any header, assume the shorter of the two windows.
  const { resetInMs } = rateLimitHeadersOf(response) ?? { resetInMs: MINUTE_MS };
  return Math.max(1, Math.ceil(resetInMs / 1000));
}

/** `Retry-After` is a number of seconds or a date. */
export function retryAfterSecondsOf(response: ReceivedResponse): number | undefined {
  const seconds = wholeNumber(response, 'retry-after');
  if (seconds !== undefined) return Math.max(1, seconds);
  const atMs = dateMs(response, 'retry-after');
  if (atMs === undefined) return undefined;
  return Math.max(1, Math.ceil((atMs - sentAtMs(response)) / 1000));
}

/** Prefers the service's clock, since this machine's may be wrong. */
function sentAtMs(response: ReceivedResponse): number {
  return dateMs(response, 'date') ?? response.receivedAtMs;
}

/** A header with a date. Undefined if it is missing or invalid. */
function dateMs({ headers }: ReceivedResponse, name: string): number | undefined {
  const text = headers.get(name) ?? '';
  const milliseconds = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function wholeNumber({ headers }: ReceivedResponse, name: string): number | undefined {
  const text = headers.get(name) ?? '';
  // More than twelve digits of seconds would not fit into a Date.
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

const NEXT_LINK = /<([^<>]*)>\s*;\s*rel="next"/;

/**
 * The `after` parameter of the next page: undefined on the last page, `unknown` if the link has no
 * usable one. The rest of the link is ignored, so that the API key stays at the base address.
 */
export function nextPageOf(
  response: ReceivedResponse,
  after: bigint | number = -Infinity,
): bigint | 'unknown' | undefined {
  const [, target] = NEXT_LINK.exec(response.headers.get('link') ?? '') ?? [];
  if (target === undefined) return undefined;
  const query = new URLSearchParams(target.replace(/^[^?]*/, ''));
  const next = parseInt64(query.get('after') ?? '');
  // A link that does not advance would loop forever.
  return next !== undefined && next > after ? next : 'unknown';
}
