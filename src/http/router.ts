import { API_PREFIX } from '../contract/api.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { KnownKey } from '../domain/api-key.ts';
import type { Decision, Quota } from '../domain/rate-limit.ts';

/** A request as the router of the runtime passes it on. */
export type RoutedRequest = Request & {
  /** The parameters of the path, decoded. */
  readonly params?: Readonly<Record<string, string>>;
};

export interface Route {
  /** The path starts with the prefix of the API, whether or not the API has it. */
  readonly isApi: boolean;
  /** Undefined when the API has no such path, or not with this method. */
  readonly operation: OperationName | undefined;
  /** The methods of the path; empty when the API has no such path. */
  readonly allow: readonly string[];
}

/** A request on its way through the pipeline, and what is known about it so far. */
export interface Call {
  readonly request: RoutedRequest;
  readonly id: string;
  readonly route: Route;
  readonly nowMs: number;
  /** The time of the caller. It differs from `nowMs` only with a test clock. */
  timeMs: number;
  /** On the monotonic clock. */
  readonly startedAtMs: number;
  /** The address of the client, once it was needed. */
  address: string | undefined;
  key: KnownKey | undefined;
  decision: Decision | undefined;
  /** The window that the response reports. Undefined outside the API. */
  limits: Quota | undefined;
  /** An error for the log that the caller does not see. */
  fault: unknown;
}

const UNKNOWN_PATH: Route = { isApi: true, operation: undefined, allow: [] };
const OUTSIDE: Route = { isApi: false, operation: undefined, allow: [] };

/**
 * The runtime matches the paths of operations, in the target as it was sent: a code such as `%70` counts
 * only in a parameter. The URL of a request has `/` in place of `\`, and no dot segments.
 */
export function routesTo(answer: (request: RoutedRequest, route: Route) => Promise<Response>) {
  const byPath = Map.groupBy(OPERATION_NAMES, (name) => OPERATIONS[name].path);
  const routes = Array.from(byPath, ([template, names]) => {
    const operations = new Map<string, OperationName>();
    for (const name of names) {
      const { method } = OPERATIONS[name];
      operations.set(method, name);
      if (method === 'GET') operations.set('HEAD', name);
    }
    const allow = [...operations.keys(), 'OPTIONS'];
    const unsupported: Route = { isApi: true, operation: undefined, allow };
    const byMethod = new Map<string, Route>();
    for (const [method, operation] of operations) {
      byMethod.set(method, { isApi: true, operation, allow });
    }
    const pattern = API_PREFIX + template.replace(/\{(\w+)\}/, ':$1');
    const handler = (request: RoutedRequest) =>
      answer(request, byMethod.get(request.method) ?? unsupported);
    return [pattern, handler] as const;
  });
  return {
    routes: Object.fromEntries(routes),
    fetch: (request: Request) => answer(request, isApi(request.url) ? UNKNOWN_PATH : OUTSIDE),
  };
}

function isApi(url: string): boolean {
  const { path } = splitUrl(url);
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}

/** Unlike `new URL`, this accepts an HTTP/1.0 request without a host. */
export function splitUrl(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const hash = url.indexOf('#', start);
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?', start);
  if (mark === -1 || mark > end) return { path: url.slice(start, end), query: '' };
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) };
}
