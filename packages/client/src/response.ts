import { fromJson, parseInt64 } from './json.ts';

/** A hundred pets are about ten kilobytes. A much longer body is not from the service. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** A response without its body, which the client has read. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Quote it when you report a problem to the service's operator. */
  readonly requestId: string | undefined;
  /** The address of the request. */
  readonly url: string;
}

export interface ReceivedResponse extends ApiResponse {
  readonly text: string;
  /** By this machine's clock. */
  readonly receivedAtMs: number;
}

/** Returns the body, or an empty text if it is too long. The headers are used even then. */
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

/** The response as callers get it. An error that is logged must not contain the whole body. */
export function withoutBody({ status, headers, requestId, url }: ApiResponse): ApiResponse {
  return { status, headers, requestId, url };
}

/** The parsed body, or undefined if it is not JSON. */
export function bodyOf({ text }: ReceivedResponse): unknown {
  try {
    return fromJson(text);
  } catch {
    return undefined;
  }
}

/** The code and message of an error response, or undefined if the body is not an Error. */
export function errorBodyOf(
  response: ReceivedResponse,
): { code: string; message: string } | undefined {
  const { code, message, status } = Object(bodyOf(response));
  return response.status >= 400 &&
    typeof code === 'string' &&
    typeof message === 'string' &&
    status === BigInt(response.status)
    ? { code, message }
    : undefined;
}

/** The `X-RateLimit-*` headers of a response. */
export interface RateLimitHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time. */
  readonly resetAtMs: number;
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
  const resetSeconds = wholeNumber(response, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) {
    return undefined;
  }
  const resetAtMs = resetSeconds * 1000;
  // No window is longer than a day, and a wrong date must not stop the client for years.
  const resetInMs = Math.min(DAY_MS, resetAtMs - sentAtMs(response));
  return { limit, remaining, resetAtMs, resetInMs };
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

export interface WithResponse<T> {
  readonly data: T;
  readonly response: ApiResponse;
}

/** The promise of a call's result. */
export interface ApiPromise<T> extends Promise<T> {
  /**
   * The result with the response that it came in. After retries, that is the last response.
   *
   * @example
   * const { data, response } = await store.findPet(42n).withResponse();
   * console.log(data?.name, response.requestId);
   */
  withResponse(): Promise<WithResponse<T>>;
}

/** Starts the call. Errors that the call throws reject the promise. */
export function apiPromise<T>(call: () => Promise<WithResponse<T>>): ApiPromise<T> {
  const result = call().then(({ data, response }) => ({ data, response: withoutBody(response) }));
  const promise = result.then(({ data }) => data);
  return Object.assign(promise, {
    withResponse() {
      // The caller handles the errors of the new promise, so those of `promise` are not unhandled.
      promise.catch(() => {});
      return result.then();
    },
  });
}
