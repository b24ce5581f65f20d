import { API_PREFIX } from '../contract/api.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../contract/operations.ts';

/** A request as the router of the runtime passes it on. */
type RoutedRequest = Request & {
  /** The segments of the path, decoded. Reading them costs 3 % of the CPU time of a getPet. */
  readonly params?: Readonly<Record<string, string>>;
};

export interface Route {
  /** For pages and the log. */
  readonly path: string;
  readonly query: string;
  /** The path starts with the prefix of the API, whether or not the API has it. */
  readonly isApi: boolean;
  /** Undefined when the API has no such path, or not with this method. */
  readonly operation: OperationName | undefined;
  /** The value of the path parameter, decoded; empty when the path has none. */
  readonly parameter: string;
  /** The methods of the path; empty when the API has no such path. */
  readonly allow: readonly string[];
}

interface ApiPath {
  readonly pattern: string;
  readonly collection: string;
  /** The whole path, or the part before its parameter. */
  readonly start: string;
  readonly hasParameter: boolean;
  readonly operations: ReadonlyMap<string, OperationName>;
  readonly allow: readonly string[];
}

const API_ROOT = API_PREFIX.slice(1);
const NO_OPERATION = { operation: undefined, parameter: '', allow: [] };

const PATHS: readonly ApiPath[] = Array.from(
  Map.groupBy(OPERATION_NAMES, (name) => OPERATIONS[name].path),
  ([template, names]) => {
    const operations = new Map<string, OperationName>();
    for (const name of names) {
      const { method } = OPERATIONS[name];
      operations.set(method, name);
      if (method === 'GET') operations.set('HEAD', name);
    }
    const [, collection = '', parameter] = template.split('/');
    return {
      pattern: API_PREFIX + template.replace(/\{(\w+)\}$/, ':$1'),
      collection,
      start: API_PREFIX + template.replace(/\{\w+\}$/, ''),
      hasParameter: parameter !== undefined,
      operations,
      allow: [...operations.keys(), 'OPTIONS'],
    };
  },
);

/**
 * The router of the runtime sees the target as it was sent, and decodes each segment once. The URL of
 * a request is different: it has `/` in place of `\`, and no dot segments.
 */
export function routesTo(answer: (request: Request, route: Route) => Promise<Response>) {
  const to = (match: (request: RoutedRequest) => Route) => (request: RoutedRequest) =>
    answer(request, match(request));
  return {
    routes: {
      ...Object.fromEntries(PATHS.map((apiPath) => [apiPath.pattern, to(matchPlain(apiPath))])),
      '/:first': to(matchSegments),
      '/:first/:second': to(matchSegments),
      '/:first/:second/:third': to(matchSegments),
    },
    fetch: to(matchOther),
  };
}

/** For paths without a pattern, which can be pages, but no operation. */
function matchOther({ url }: Request): Route {
  const { path, query } = splitUrl(url);
  return { path, query, isApi: path.startsWith(`${API_PREFIX}/`), ...NO_OPERATION };
}

/** For the path of an operation, sent without a code such as `%70` before its parameter. */
function matchPlain({ start, hasParameter, operations, allow }: ApiPath) {
  return ({ method, url }: Request): Route => {
    const { path, query } = splitUrl(url);
    const encoded = path.slice(start.length);
    // A `\` in the parameter has become a `/`.
    if (hasParameter && (encoded.includes('/') || !path.startsWith(start))) {
      return { path, query, isApi: true, ...NO_OPERATION };
    }
    const parameter = encoded.includes('%') ? decode(encoded) : encoded;
    return { path, query, isApi: true, operation: operations.get(method), parameter, allow };
  };
}

/** For pages, and for paths of the API with a code such as `%70` in them. */
function matchSegments({ method, url, params = {} }: RoutedRequest): Route {
  const { path, query } = splitUrl(url);
  const { first, second, third } = params;
  if (first !== API_ROOT) {
    return { path: joinSegments(params), query, isApi: false, ...NO_OPERATION };
  }
  const found = PATHS.find(
    ({ collection, hasParameter }) =>
      second === collection && (third !== undefined) === hasParameter,
  );
  if (found === undefined) return { path, query, isApi: true, ...NO_OPERATION };
  const { operations, allow } = found;
  const operation = operations.get(method);
  return { path, query, isApi: true, operation, parameter: third ?? '', allow };
}

/** A `%2F` in a segment does not separate segments. */
function joinSegments(segments: Readonly<Record<string, string>>): string {
  return Object.values(segments)
    .map((segment) => `/${segment.replaceAll('/', '%2F')}`)
    .join('');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
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
