import type { Operation, OperationName } from '#contract/operations.ts';
import { exactJson } from '#formats/json.ts';

/** A request of the API, before it is sent. Samples in each language are made from it. */
export interface SampleRequest {
  readonly operation: OperationName;
  readonly method: Operation['method'];
  /** The base address, which ends in `/v1`. */
  readonly baseUrl: string;
  /** The path of the operation, such as `/pets/{petId}`. */
  readonly path: string;
  /** The values that the reader filled in. Empty ones are left out. */
  readonly values: {
    readonly path: Record<string, string>;
    readonly query: Record<string, string>;
    /** All headers except `Authorization` and `Content-Type`. */
    readonly header: Record<string, string>;
    /** Undefined if the operation has no body. */
    readonly body?: Record<string, string | number | bigint | boolean> | undefined;
  };
  /** A text that the reader entered to send it instead of the fields of the body. */
  readonly otherBody?: string | undefined;
}

/** After these statuses, the same request may succeed later. The client retries them, too. */
export const RETRIED_STATUSES: readonly number[] = [408, 429, 502, 503, 504];

/** The URL of the request, with its values. */
export function urlOf({ baseUrl, path, values }: SampleRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((values.path[name] ?? '').toWellFormed()),
  );
  const query = new URLSearchParams(values.query);
  return `${baseUrl}${filled}${query.size > 0 ? `?${query}` : ''}`;
}

/** The body of the request, with every digit. */
export function bodyOf({ values, otherBody }: SampleRequest): string | undefined {
  return otherBody ?? (values.body && exactJson(values.body));
}

/** The headers of the request, without its key. */
export function headersOf(request: SampleRequest): [name: string, value: string][] {
  const headers = Object.entries(request.values.header);
  if (bodyOf(request) !== undefined) headers.push(['Content-Type', 'application/json']);
  return headers;
}

export const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const INVISIBLE = /[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Writes a text as a JSON string, which is also a literal of JavaScript, Python and Go. Escapes invisible
 * characters, which the reader of a sample would overlook.
 */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes a text as a literal of JavaScript and Python in which JSON needs no escapes. */
export function singleQuoted(text: string): string {
  const inside = doubleQuoted(text).slice(1, -1);
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
