import { API_PREFIX, CLIENT } from '../../contract/api.ts';
import type { Operation, OperationName } from '../../contract/operations.ts';
import { exactJson } from '../../domain/json.ts';

/** A request of the API, before it is sent. Samples in each language are made from it. */
export interface SampleRequest {
  readonly operation: OperationName;
  readonly method: Operation['method'];
  /** With `/v1`, without a final slash. */
  readonly baseUrl: string;
  /** The path of the operation, such as `/pets/{petId}`. */
  readonly path: string;
  /** The values that the reader filled in. Empty ones are left out. */
  readonly values: {
    readonly path: Record<string, string>;
    readonly query: Record<string, string>;
    /** Without `Authorization` and `Content-Type`. */
    readonly header: Record<string, string>;
    /** Undefined if the operation has no body. */
    readonly body?: Record<string, string | number | bigint | boolean> | undefined;
  };
  /** Sent instead of the fields of the body. */
  readonly otherBody?: string | undefined;
}

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

/** The command that installs the client from the service. */
export function installClient(baseUrl: string): string {
  return `npm install ${baseUrl.slice(0, -API_PREFIX.length)}${CLIENT}`;
}
