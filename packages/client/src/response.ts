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

/** A response with its body, which errors must not contain, because they are logged. */
export interface ReceivedResponse {
  readonly response: ApiResponse;
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
  received: ReceivedResponse,
): { code: string; message: string } | undefined {
  const { code, message, status } = Object(bodyOf(received));
  const actualStatus = received.response.status;
  return actualStatus >= 400 &&
    typeof code === 'string' &&
    typeof message === 'string' &&
    status === BigInt(actualStatus)
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
export function rateLimitHeadersOf(received: ReceivedResponse): RateLimitHeaders | undefined {
  const limit = wholeNumber(received, 'x-ratelimit-limit');
  const remaining = wholeNumber(received, 'x-ratelimit-remaining');
  const resetSeconds = wholeNumber(received, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) {
    return undefined;
  }
  const resetAtMs = resetSeconds * 1000;
  // No window is longer than a day, and a wrong date must not stop the client for years.
  const resetInMs = Math.min(DAY_MS, resetAtMs - sentAtMs(received));
  return { limit, remaining, resetAtMs, resetInMs };
}

/** How long a 429 or 503 tells the client to send nothing. Undefined for other responses. */
export function pauseSecondsOf(received: ReceivedResponse): number | undefined {
  const { status } = received.response;
  if (status !== 429 && status !== 503) return undefined;
  const retryAfterSeconds = retryAfterSecondsOf(received);
  if (retryAfterSeconds !== undefined || status === 503) return retryAfterSeconds;
  // Without any header, assume the shorter of the two windows.
  const { resetInMs } = rateLimitHeadersOf(received) ?? { resetInMs: MINUTE_MS };
  return Math.max(1, Math.ceil(resetInMs / 1000));
}

/** `Retry-After` is a number of seconds or a date. */
export function retryAfterSecondsOf(received: ReceivedResponse): number | undefined {
  const seconds = wholeNumber(received, 'retry-after');
  if (seconds !== undefined) return Math.max(1, seconds);
  const atMs = dateMs(received, 'retry-after');
  if (atMs === undefined) return undefined;
  return Math.max(1, Math.ceil((atMs - sentAtMs(received)) / 1000));
}

/** Prefers the service's clock, since this machine's may be wrong. */
function sentAtMs(received: ReceivedResponse): number {
  return dateMs(received, 'date') ?? received.receivedAtMs;
}

/** A header with a date. Undefined if it is missing or invalid. */
function dateMs({ response: { headers } }: ReceivedResponse, name: string): number | undefined {
  const text = headers.get(name) ?? '';
  const milliseconds = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function wholeNumber(
  { response: { headers } }: ReceivedResponse,
  name: string,
): number | undefined {
  const text = headers.get(name) ?? '';
  // More than twelve digits of seconds would not fit into a Date.
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

const NEXT_LINK = /<([^<>]*)>\s*;\s*rel="next"/;

export function linksNextPage({ headers }: ApiResponse): boolean {
  return NEXT_LINK.test(headers.get('link') ?? '');
}

/**
 * The `after` parameter of the link to the next page, if it has a usable one. The rest of the link is
 * ignored, so that the API key stays at the base address.
 */
export function nextPageOf(
  { headers }: ApiResponse,
  after: bigint | number = -Infinity,
): bigint | undefined {
  const [, target = ''] = NEXT_LINK.exec(headers.get('link') ?? '') ?? [];
  const query = new URLSearchParams(target.replace(/^[^?]*/, ''));
  const next = parseInt64(query.get('after') ?? '');
  // A link that does not advance would loop forever.
  return next !== undefined && next > after ? next : undefined;
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
  const result = call();
  const promise = result.then(({ data }) => data);
  return Object.assign(promise, {
    withResponse() {
      // The caller handles the errors of the new promise, so those of `promise` are not unhandled.
      promise.catch(() => {});
      return result.then();
    },
  });
}
