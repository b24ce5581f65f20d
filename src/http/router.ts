import { API_PREFIX } from '#contract/api.ts';
import { type Problem, problem } from '#contract/errors.ts';
import type { ResponseParts, Route, RoutedRequest } from '#contract/exchange.ts';
import {
  OPERATION_NAMES,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '#contract/operations.ts';
import { type Brownout, brownoutAt } from '#domain/brownout.ts';
import { secondsUntil } from '#domain/rate-limit.ts';

const UNKNOWN_PATH: Route = { isApi: true, operation: undefined, allow: [] };
const OUTSIDE: Route = { isApi: false, operation: undefined, allow: [] };

/**
 * Returns the routes for `Bun.serve`, which match the path and the method of a request to an operation. The
 * runtime compares the path as it was sent: it decodes a code such as `%70` only in a parameter. In the URL of
 * a request, in contrast, `\` has become `/` and dot segments are gone.
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
    const pattern = API_PREFIX + template.replace(/\{(\w+)\}/, ':$1');
    const handler = (request: RoutedRequest) =>
      answer(request, { isApi: true, operation: operations.get(request.method), allow });
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

/** The response to a path that the API does not have, or to a method that the path does not have. */
export function withoutOperation(method: string, allow: readonly string[]): ResponseParts {
  if (allow.length === 0) return problem('route_not_found');
  const headers = { Allow: allow.join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, body: null, headers }
    : { ...problem('method_not_allowed', allow), headers };
}

const PAGE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** The pages outside the API. */
export interface Pages {
  has(path: string): boolean;
  /** Undefined when the path has no page for this method. */
  read(request: Request, path: string): ResponseParts | undefined;
}

export function answerPage(pages: Pages, request: Request): ResponseParts {
  const { path } = splitUrl(request.url);
  const allow = pages.has(path) ? PAGE_METHODS : [];
  return pages.read(request, path) ?? withoutOperation(request.method, allow);
}

/**
 * The error of an operation that is removed at this time, or undefined if it is not. During a brownout it is
 * the same error, with the time at which the brownout ends.
 */
export function removalProblem(
  name: OperationName,
  nowMs: number,
  brownouts: readonly Brownout[],
): Problem | undefined {
  const { method, path, deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return undefined;
  // Every brownout has ended when the operation is removed.
  const endsAtMs = brownoutAt(brownouts, nowMs)?.endsAtMs;
  const isRemoved = nowMs >= deprecation.removedAt.getTime();
  if (!isRemoved && endsAtMs === undefined) return undefined;
  const operation = `${method} ${API_PREFIX}${path}`;
  return {
    ...problem('operation_removed', operation, deprecation, endsAtMs),
    retryAfterSeconds: endsAtMs && secondsUntil(endsAtMs / 1000, nowMs),
  };
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
