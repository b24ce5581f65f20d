import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { Standing } from '../domain/rate-limit.ts';
import { CORS_HEADERS } from './cors.ts';
import { deprecationNotice } from './deprecation.ts';
import type { Reply } from './reply.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * Makes replies into responses. The headers that do not change from one to the next are kept ready:
 * the runtime copies them in less time than it takes to read them from an object.
 */
export class ResponseWriter {
  readonly #besideInterface = new Headers(JSON_TYPE);
  readonly #withoutOperation = new Headers({ ...JSON_TYPE, ...CORS_HEADERS });
  readonly #ofOperation: ReadonlyMap<OperationName, Headers>;

  constructor(publicUrl: string) {
    const names = Object.keys(OPERATIONS) as OperationName[];
    this.#ofOperation = new Map(
      names.map((name) => [
        name,
        new Headers({ ...JSON_TYPE, ...CORS_HEADERS, ...deprecationNotice(name, publicUrl) }),
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
    const ready = this.#headersFor(operation, standing);
    const response = new Response(body, { status, headers: ready });
    const { headers } = response;
    headers.set('X-Request-Id', requestId);
    if (standing !== undefined) setLimitHeaders(headers, standing);
    if (body === null) headers.delete('Content-Type');
    if (reply.link !== undefined) headers.append('Link', reply.link);
    for (const name in reply.headers) headers.set(name, reply.headers[name] as string);
    return response;
  }

  #headersFor(operation: OperationName | undefined, standing: Standing | undefined): Headers {
    if (standing === undefined) return this.#besideInterface;
    const ready = operation && this.#ofOperation.get(operation);
    return ready ?? this.#withoutOperation;
  }
}

function setLimitHeaders(headers: Headers, standing: Standing): void {
  headers.set('X-RateLimit-Limit', String(standing.limit));
  headers.set('X-RateLimit-Remaining', String(standing.remaining));
  headers.set('X-RateLimit-Reset', String(standing.resetAtSeconds));
}
