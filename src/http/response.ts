import { ERRORS } from '../contract/errors.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { ErrorCode } from '../domain/error.ts';
import type { Standing } from '../domain/rate-limit.ts';
import { CORS_HEADERS } from './cors.ts';
import { deprecationNotice } from './deprecation.ts';
import { errorHeaders } from './error-response.ts';
import type { Reply } from './reply.ts';

const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];
const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Where an answer comes from: an operation, the rest of the interface, or the pages beside it. */
type Place = OperationName | 'interface' | 'beside';

/**
 * Makes replies into responses. The headers that do not change from one to the next are kept ready:
 * the runtime copies them in less time than it takes to read them from an object.
 */
export class ResponseWriter {
  readonly #ready: ReadonlyMap<Place, ReadonlyMap<ErrorCode | undefined, Headers>>;

  constructor(publicUrl: string) {
    const places: Place[] = [...OPERATION_NAMES, 'interface', 'beside'];
    this.#ready = new Map(
      places.map((place) => [
        place,
        new Map(
          [undefined, ...ERROR_CODES].map((code) => [code, fixedHeaders(place, code, publicUrl)]),
        ),
      ]),
    );
  }

  /** `standing` is undefined beside the interface, where nothing is limited. */
  write(
    reply: Reply,
    requestId: string,
    operation: OperationName | undefined,
    standing: Standing | undefined,
  ): Response {
    const { status, body } = reply;
    const place = standing === undefined ? 'beside' : (operation ?? 'interface');
    const ready = this.#ready.get(place)?.get(reply.error);
    const response = new Response(
      body,
      ready === undefined ? { status } : { status, headers: ready },
    );
    const { headers } = response;
    headers.set('X-Request-Id', requestId);
    if (standing !== undefined) setLimitHeaders(headers, standing);
    if (body === null) headers.delete('Content-Type');
    if (reply.link !== undefined) headers.append('Link', reply.link);
    for (const name in reply.headers) headers.set(name, reply.headers[name] as string);
    return response;
  }
}

function fixedHeaders(place: Place, code: ErrorCode | undefined, publicUrl: string): Headers {
  const parts = [
    { 'Content-Type': 'application/json' },
    place === 'beside' ? {} : CORS_HEADERS,
    place === 'beside' || place === 'interface' ? {} : deprecationNotice(place, publicUrl),
    code === undefined ? {} : errorHeaders(code, publicUrl),
  ];
  const headers = new Headers();
  for (const part of parts) {
    for (const [name, value] of Object.entries(part ?? {})) headers.append(name, value);
  }
  return headers;
}

function setLimitHeaders(headers: Headers, standing: Standing): void {
  headers.set('X-RateLimit-Limit', String(standing.limit));
  headers.set('X-RateLimit-Remaining', String(standing.remaining));
  headers.set('X-RateLimit-Reset', String(standing.resetAtSeconds));
}
