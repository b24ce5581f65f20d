import { MINUTE_SECONDS } from '../domain/durations.ts';
import type { Answer } from './answer.ts';

/** Where the account stands, as an answer tells it. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtSeconds: number;
  /** From the arrival of the answer on. */
  readonly resetInMs: number;
}

/** The one form of a date that servers send; `Date.parse` alone would make one of `5.5` as well. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

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
  const atMs = dateMs(answer, 'retry-after');
  if (atMs === undefined) return undefined;
  return Math.max(1, Math.ceil((atMs - sentAtMs(answer)) / 1000));
}

/** By the service's clock where that can be read, since this machine's may be wrong. */
function sentAtMs(answer: Answer): number {
  return dateMs(answer, 'date') ?? answer.receivedAtMs;
}

function dateMs({ headers }: Answer, name: string): number | undefined {
  const text = headers.get(name) ?? '';
  const milliseconds = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function wholeNumber({ headers }: Answer, name: string): number | undefined {
  const text = headers.get(name) ?? '';
  // Twelve digits of seconds are as many as a Date can hold.
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
