import type { Answer } from './exchange.ts';

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A link may be of several kinds at once, in quotes. */
const NEXT = /;\s*rel\s*=\s*(?:next|"(?:[^"]* )?next(?: [^"]*)?")\s*(?:[;,]|$)/i;

/** Undefined when the header is missing or is not a whole number. */
export function wholeNumber({ headers }: Answer, name: string): number | undefined {
  const value = headers.get(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The moment that an HTTP date names, in milliseconds; undefined when it is none. */
export function httpDate(value: string): number | undefined {
  const ms = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Retry-After as seconds from now, whichever of its two forms it has. */
export function retryAfterSeconds(answer: Answer, nowMs: number): number | undefined {
  const seconds = wholeNumber(answer, 'retry-after');
  if (seconds !== undefined) return seconds;
  const dateMs = httpDate(answer.headers.get('retry-after') ?? '');
  return dateMs === undefined ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}

export function mediaType({ headers }: Answer): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The address of the next page, if the answer links one. */
export function nextLink({ headers }: Answer): string | undefined {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g);
  return links.find(([, , parameters]) => NEXT.test(parameters ?? ''))?.[1];
}
