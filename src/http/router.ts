import { API_PREFIX, OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { Problem } from '../domain/error.ts';
import { errorReply } from './error-response.ts';
import type { Reply } from './reply.ts';

export interface Route {
  /** Undefined when the path, or this method of it, is not part of the interface. */
  readonly operation: OperationName | undefined;
  /** What stands in the path's parameter, as it came; empty when the path has none. */
  readonly parameter: string;
  /** The methods of the path; empty when the interface has no such path. */
  readonly allow: readonly string[];
}

interface Path {
  /** All of the path, or all that stands before its parameter. */
  readonly prefix: string;
  readonly hasParameter: boolean;
  /** By method. */
  readonly operations: ReadonlyMap<string, OperationName>;
  readonly allow: readonly string[];
}

const BELOW_PREFIX = `${API_PREFIX}/`;
const PATHS: readonly Path[] = pathsOf(Object.keys(OPERATIONS) as OperationName[]);
export const NO_ROUTE: Route = { operation: undefined, parameter: '', allow: [] };

/** Of a page beside the interface. */
export const DOCUMENT_ROUTE: Route = { ...NO_ROUTE, allow: ['GET', 'HEAD', 'OPTIONS'] };

function pathsOf(names: readonly OperationName[]): Path[] {
  const byTemplate = Map.groupBy(names, (name) => OPERATIONS[name].path);
  return Array.from(byTemplate, ([template, group]) => {
    const operations = new Map<string, OperationName>();
    for (const name of group) {
      const { method } = OPERATIONS[name];
      operations.set(method, name);
      if (method === 'GET') operations.set('HEAD', name);
    }
    const [, beforeParameter, parameter] = /^([^{]*)(\{\w+\})?$/.exec(template) ?? [];
    if (beforeParameter === undefined)
      throw new Error(`${template} has more than a last parameter`);
    const prefix = API_PREFIX + beforeParameter;
    const allow = [...operations.keys(), 'OPTIONS'];
    return { prefix, hasParameter: parameter !== undefined, operations, allow };
  });
}

export function matchRoute(method: string, path: string): Route {
  for (const candidate of PATHS) {
    const parameter = parameterIn(path, candidate);
    if (parameter === undefined) continue;
    return { operation: candidate.operations.get(method), parameter, allow: candidate.allow };
  }
  return NO_ROUTE;
}

/** Undefined when the path is another. By hand, since a pattern takes half as long again. */
function parameterIn(path: string, { prefix, hasParameter }: Path): string | undefined {
  if (!hasParameter) return path === prefix ? '' : undefined;
  if (!path.startsWith(prefix) || path.length === prefix.length) return undefined;
  return path.includes('/', prefix.length) ? undefined : path.slice(prefix.length);
}

/** Takes a request's URL apart without the cost of `new URL`; HTTP/1.0 may leave out the host. */
export function splitUrl(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const hash = url.indexOf('#', start);
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?', start);
  if (mark === -1 || mark > end) return { path: url.slice(start, end), query: '' };
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) };
}

export function isApiPath(path: string): boolean {
  return path.startsWith(BELOW_PREFIX) || path === API_PREFIX;
}

const NOTHING_HERE: Problem = {
  code: 'route_not_found',
  message: `There is nothing at this path. Animals are at ${API_PREFIX}${OPERATIONS.listPets.path}.`,
};

/** The answer where the interface has no operation: to OPTIONS what there is, else an error. */
export function replyWithoutOperation(method: string, { allow }: Route): Reply | Problem {
  if (allow.length === 0) return NOTHING_HERE;
  const methods = allow.join(', ');
  if (method === 'OPTIONS') return { status: 204, body: null, headers: { Allow: methods } };
  const problem = {
    code: 'method_not_allowed',
    message: `This path takes only ${methods}.`,
  } as const;
  return { ...errorReply(problem), headers: { Allow: methods } };
}
