import { API_PREFIX } from '../contract/api.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../contract/operations.ts';

export interface Route {
  readonly path: string;
  readonly query: string;
  /** The path starts with the prefix of the API, whether or not the API has it. */
  readonly isApi: boolean;
  /** Undefined when the API has no such path, or not with this method. */
  readonly operation: OperationName | undefined;
  /** The value of the path parameter, still encoded; empty when the path has none. */
  readonly parameter: string;
  /** The methods of the path; empty when the API has no such path. */
  readonly allow: readonly string[];
}

interface ApiPath {
  /** The whole path, or the part before its parameter. */
  readonly start: string;
  readonly hasParameter: boolean;
  readonly operations: ReadonlyMap<string, OperationName>;
  readonly allow: readonly string[];
}

const PREFIX_AND_SLASH = `${API_PREFIX}/`;

const PATHS: readonly ApiPath[] = Array.from(
  Map.groupBy(OPERATION_NAMES, (name) => OPERATIONS[name].path),
  ([template, names]) => {
    const operations = new Map<string, OperationName>();
    for (const name of names) {
      const { method } = OPERATIONS[name];
      operations.set(method, name);
      if (method === 'GET') operations.set('HEAD', name);
    }
    const start = API_PREFIX + template.replace(/\{\w+\}$/, '');
    const hasParameter = template.endsWith('}');
    return { start, hasParameter, operations, allow: [...operations.keys(), 'OPTIONS'] };
  },
);

export function matchRoute(method: string, url: string): Route {
  const { path, query } = splitUrl(url);
  const isApi = path.startsWith(PREFIX_AND_SLASH) || path === API_PREFIX;
  for (const apiPath of isApi ? PATHS : []) {
    const parameter = parameterIn(path, apiPath);
    if (parameter === undefined) continue;
    const { operations, allow } = apiPath;
    return { path, query, isApi, operation: operations.get(method), parameter, allow };
  }
  return { path, query, isApi, operation: undefined, parameter: '', allow: [] };
}

/** Undefined when the path is a different one. */
function parameterIn(path: string, { start, hasParameter }: ApiPath): string | undefined {
  if (!hasParameter) return path === start ? '' : undefined;
  const parameter = path.startsWith(start) ? path.slice(start.length) : '';
  return parameter === '' || parameter.includes('/') ? undefined : parameter;
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
