import { MINUTE_SECONDS } from '../domain/durations.ts';
import { parseInt64 } from '../domain/int64.ts';
import { type JsonValue, parseJson } from '../domain/json.ts';
import type { OperationName } from './error-code.ts';
import {
  type AnimalStoreError,
  ApiError,
  RateLimitError,
  UnexpectedAnswerError,
} from './errors.ts';

/** An answer that has arrived whole. */
export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
  /** By the clock of this machine. */
  readonly receivedAtMs: number;
}

/** Where the account stands, as an answer tells it. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtSeconds: number;
  /** From the arrival of the answer on. */
  readonly resetInMs: number;
}

const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const NEXT = /;\s*rel\s*=\s*(?:next(?![^\s;,])|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i;

export function standingOf(answer: Answer): Standing | undefined {
  const limit = wholeNumber(answer, 'x-ratelimit-limit');
  const remaining = wholeNumber(answer, 'x-ratelimit-remaining');
  const resetAtSeconds = wholeNumber(answer, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetAtSeconds === undefined) {
    return undefined;
  }
  const resetInMs = resetAtSeconds * 1000 - sentAtMs(answer);
  return { limit, remaining, resetAtSeconds, resetInMs };
}

/** For how long nothing should be sent, or undefined when the answer does not ask for that. */
export function holdSecondsOf(answer: Answer): number | undefined {
  const { status } = answer;
  if (status !== 429 && status !== 503) return undefined;
  const told = retryAfterSecondsOf(answer);
  if (told !== undefined || status === 503) return told;
  // Where nothing is said, the shorter of the two windows is waited for.
  const { resetInMs } = standingOf(answer) ?? { resetInMs: MINUTE_SECONDS * 1000 };
  return Math.max(1, Math.ceil(resetInMs / 1000));
}

/** `Retry-After` may be seconds or a date. */
function retryAfterSecondsOf(answer: Answer): number | undefined {
  const seconds = wholeNumber(answer, 'retry-after');
  if (seconds !== undefined) return Math.max(1, seconds);
  const atMs = Date.parse(answer.headers.get('retry-after') ?? '');
  return Number.isNaN(atMs) ? undefined : Math.max(1, Math.ceil((atMs - sentAtMs(answer)) / 1000));
}

/** By the service's clock where that can be read, since this machine's may be wrong. */
function sentAtMs({ headers, receivedAtMs }: Answer): number {
  const dateMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(dateMs) ? receivedAtMs : dateMs;
}

function wholeNumber({ headers }: Answer, name: string): number | undefined {
  const text = headers.get(name) ?? '';
  // Twelve digits of seconds are as many as a Date can hold.
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** The body of an answer, or undefined when it is no JSON. */
export function bodyOf({ text }: Answer): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * The `after` of the page that follows the one after `after`, or undefined on the last one. Nothing
 * else is taken from the link, so that the API key goes nowhere else.
 */
export function nextPageOf(answer: Answer, after: bigint | number = -Infinity): bigint | undefined {
  const links = (answer.headers.get('link') ?? '').matchAll(LINK);
  for (const [, target = '', parameters = ''] of links) {
    if (!NEXT.test(parameters)) continue;
    const query = new URLSearchParams(target.replace(/^[^?]*|#.*$/g, ''));
    const next = parseInt64(query.get('after') ?? '');
    // A page that does not lead further would be read for ever.
    if (next !== undefined && next > after) return next;
    throw unexpected('listPets', answer, 'links to a next page that is none');
  }
  return undefined;
}

/** `retryAfterSeconds` is what is left of the wait that the answer asked for. */
export function errorFrom(
  answer: Answer,
  operation: OperationName,
  retryAfterSeconds = holdSecondsOf(answer),
): AnimalStoreError {
  const { status, headers, receivedAtMs } = answer;
  const said = errorBodyOf(answer);
  const requestId = headers.get('x-request-id') ?? undefined;
  if (status === 429 && retryAfterSeconds !== undefined) {
    const standing = standingOf(answer);
    const resetAtMs = standing
      ? standing.resetAtSeconds * 1000
      : receivedAtMs + retryAfterSeconds * 1000;
    return new RateLimitError({
      ...(said ?? { code: 'too_many_requests', message: 'Too many requests were sent.' }),
      ...{ operation, status, requestId, retryAfterSeconds },
      resetAt: new Date(resetAtMs),
      limit: standing?.limit,
    });
  }
  if (said !== undefined) {
    return new ApiError({ ...said, operation, status, requestId, retryAfterSeconds });
  }
  return unexpected(operation, answer, problemWith(status));
}

export function unexpected(
  operation: OperationName,
  { status }: Answer,
  problem: string,
): UnexpectedAnswerError {
  return new UnexpectedAnswerError(operation, status, problem);
}

function errorBodyOf(answer: Answer): { code: string; message: string } | undefined {
  const body = bodyOf(answer);
  if (answer.status < 400 || body === null || typeof body !== 'object' || Array.isArray(body)) {
    return undefined;
  }
  const { code, message } = body;
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}

function problemWith(status: number): string {
  // Browsers say 0 for a redirection that was not followed.
  return status === 0 || (status >= 300 && status < 400)
    ? 'is a redirection; make the address it leads to the baseUrl'
    : 'is not one of the Animal Store; look at what is between this client and the service';
}
