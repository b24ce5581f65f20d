import { fromJson, parseInt64 } from './json.ts';

/** A page of a hundred pets has about ten kilobytes, so a much longer body is not from the service. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** A response without its body, which the client has already read. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Quote this id when you report a problem to the operator of the service. */
  readonly requestId: string | undefined;
  /** The address of the request. */
  readonly url: string;
}

/** A response and its body. Errors contain only the response, because they are logged. */
export interface ReceivedResponse {
  readonly response: ApiResponse;
  readonly text: string;
  /** The time on this machine's clock. */
  readonly receivedAtMs: number;
}

/** Returns the body, or an empty string if the body is too long. The headers of such a response are still used. */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return response.text();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let bytes = 0; bytes <= MAX_BODY_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks).text();
    chunks.push(value);
    bytes += value.byteLength;
  }
  await reader.cancel();
  return '';
}

/** Returns the code and message of an error response, or undefined if the body is not an Error of the API. */
export function errorBodyOf({ response, text }: ReceivedResponse) {
  try {
    const { code, message, status } = Object(fromJson(text));
    const isError = response.status >= 400 && status === BigInt(response.status);
    if (isError && typeof code === 'string' && typeof message === 'string') {
      return { code, message };
    }
  } catch {
    // The body is not JSON.
  }
  return undefined;
}

/** A window of the rate limit. */
export interface QuotaWindow {
  /** Requests allowed in the window. */
  readonly limit: number;
  /** Requests that the account can still send in the window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly resetAt: Date;
}

/** The current window, either the minute or the day, as the most recent response described it. */
export interface Quota extends QuotaWindow {
  /** Undefined after the minute has ended. Services before version 1.2.0 send neither `minute` nor `day`. */
  readonly minute?: QuotaWindow | undefined;
  readonly day?: QuotaWindow | undefined;
}

/** The rate limit headers of a response. */
export interface RateLimitHeaders extends Quota {
  /** The time from the arrival of the response to the reset. */
  readonly resetInMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns undefined unless all three headers are valid. */
export function rateLimitHeadersOf(received: ReceivedResponse): RateLimitHeaders | undefined {
  const limit = wholeNumber(received, 'x-ratelimit-limit');
  const remaining = wholeNumber(received, 'x-ratelimit-remaining');
  const resetSeconds = wholeNumber(received, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) {
    return undefined;
  }
  const resetAt = new Date(resetSeconds * 1000);
  // No window is longer than a day. Without this limit, a wrong date could stop the client for years.
  const resetInMs = Math.min(DAY_MS, +resetAt - sentAtMs(received));
  const [minute, day] = ['minute', 'day'].map((name) => quotaWindowOf(received, name));
  return { limit, remaining, resetAt, resetInMs, minute, day };
}

/** Returns undefined unless the `RateLimit` headers have this window. Services before version 1.2.0 do not send them. */
function quotaWindowOf(received: ReceivedResponse, name: string): QuotaWindow | undefined {
  const { headers } = received.response;
  const text = `${headers.get('ratelimit-policy')}, ${headers.get('ratelimit')}`;
  const numberOf = (parameter: string) =>
    Number(new RegExp(`"${name}"[^,]*;${parameter}=(\\d{1,12})\\b`).exec(text)?.[1]);
  const [limit, remaining] = [numberOf('q'), numberOf('r')];
  const resetAt = new Date(sentAtMs(received) + numberOf('t') * 1000);
  // The sum is not a number if one of them is missing.
  return limit + remaining + +resetAt >= 0 ? { limit, remaining, resetAt } : undefined;
}

/** Returns how long a 429 or 503 asks the client to send no requests, or undefined for other responses. */
export function pauseSecondsOf(received: ReceivedResponse): number | undefined {
  const { status } = received.response;
  if (status !== 429 && status !== 503) return undefined;
  const retryAfterSeconds = retryAfterSecondsOf(received);
  if (retryAfterSeconds !== undefined || status === 503) return retryAfterSeconds;
  // If a 429 has none of these headers, assume that the minute is used up, not the day.
  const { resetInMs } = rateLimitHeadersOf(received) ?? { resetInMs: MINUTE_MS };
  return Math.max(1, Math.ceil(resetInMs / 1000));
}

/** Reads `Retry-After`, which is a number of seconds or a date. */
export function retryAfterSecondsOf(received: ReceivedResponse): number | undefined {
  const seconds = wholeNumber(received, 'retry-after');
  if (seconds !== undefined) return Math.max(1, seconds);
  const atMs = dateMs(received, 'retry-after');
  if (atMs === undefined) return undefined;
  return Math.max(1, Math.ceil((atMs - sentAtMs(received)) / 1000));
}

/** Returns when the response was sent. Prefers the service's clock, because this machine's clock may be wrong. */
function sentAtMs(received: ReceivedResponse): number {
  return dateMs(received, 'date') ?? received.receivedAtMs;
}

/** Reads a header that contains a date. Returns undefined if the header is missing or invalid. */
function dateMs({ response: { headers } }: ReceivedResponse, name: string): number | undefined {
  const text = headers.get(name) ?? '';
  const date = new Date(text);
  const milliseconds = date.getTime();
  // `Date` would also accept texts such as `5.5`. HTTP servers send the format of `toUTCString`.
  return date.toUTCString() === text && milliseconds >= 0 ? milliseconds : undefined;
}

/** Reads a header that contains a whole number. Returns undefined if the header is missing or invalid. */
function wholeNumber(
  { response: { headers } }: ReceivedResponse,
  name: string,
): number | undefined {
  const text = headers.get(name) ?? '';
  // A Date could not hold a number of seconds with more than twelve digits.
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/**
 * Reads the link to the next page. `next` is its `after` parameter, or undefined if the response has no such link or
 * parameter. The rest of the link is ignored, so that the API key is only sent to the base address.
 */
export function nextPageOf({ headers }: ApiResponse, after: bigint | number = -Infinity) {
  const [link, target = ''] = /<([^<>]*)>\s*;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  const query = new URLSearchParams(target.replace(/^[^?]*/, ''));
  const next = parseInt64(query.get('after') ?? '');
  // Following a link that does not advance would never end.
  const isUsable = next !== undefined && next > after;
  return { isLast: link === undefined, next: isUsable ? next : undefined };
}

export interface WithResponse<T> {
  readonly data: T;
  readonly response: ApiResponse;
}

/** A promise for the result of a call. */
export interface ApiPromise<T> extends Promise<T> {
  /**
   * Returns the result together with the response that contained it. After retries, this is the last response.
   *
   * @example
   * const { data, response } = await store.findPet(42n).withResponse();
   * console.log(data?.name, response.requestId);
   */
  withResponse(): Promise<WithResponse<T>>;
}

/** Starts the call, and returns a promise for its result. */
export function apiPromise<T>(call: () => Promise<WithResponse<T>>): ApiPromise<T> {
  const result = call();
  const promise = result.then(({ data }) => data);
  return Object.assign(promise, {
    withResponse() {
      // The caller handles errors of the new promise. Without this line, `promise` would also reject, unhandled.
      promise.catch(() => {});
      return result.then();
    },
  });
}
