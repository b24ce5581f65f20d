import type { ApiResponse } from './round-trip.ts';

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A link can have several relations, in quotes. */
const NEXT = /;\s*rel\s*=\s*(?:next|"(?:[^"]* )?next(?: [^"]*)?")\s*(?:[;,]|$)/i;

/** Undefined if the header is missing or not a whole number. */
export function wholeNumber({ headers }: ApiResponse, name: string): number | undefined {
  const value = headers.get(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Parses an HTTP date to milliseconds. Undefined if it is not one. */
export function httpDate(value: string): number | undefined {
  const ms = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Retry-After in seconds, whether the header has seconds or a date. */
export function retryAfterSeconds(response: ApiResponse, nowMs: number): number | undefined {
  const seconds = wholeNumber(response, 'retry-after');
  if (seconds !== undefined) return seconds;
  const dateMs = httpDate(response.headers.get('retry-after') ?? '');
  return dateMs === undefined ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}

/** Such a deployment says so in every response, and has clocks that requests can set. */
export function isStaging({ headers }: ApiResponse): boolean {
  return headers.get('x-environment') === 'staging';
}

export function mediaType({ headers }: ApiResponse): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The address of the next page, if the response links one. */
export function nextLink({ headers }: ApiResponse): string | undefined {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g);
  return links.find(([, , parameters]) => NEXT.test(parameters ?? ''))?.[1];
}
