import { parseJson, stringify } from '../../packages/conformance/src/http.ts';
import type { SessionOptions } from '../../packages/conformance/src/session.ts';
import { type DeploymentOptions, type Fault, FREE_KEY, KEY } from './deployment.ts';

type Body = Record<string, unknown>;

/** A deployment with one fault, and the options of the run that finds it. */
type FaultyDeployment = DeploymentOptions & { readonly options?: Partial<SessionOptions> };

/** `caughtBy` has exactly the checks that must fail. */
export function broken(
  name: string,
  faulty: Fault | FaultyDeployment,
  ...caughtBy: readonly string[]
) {
  const { options, ...deployment }: FaultyDeployment =
    typeof faulty === 'function' ? { fault: faulty } : faulty;
  return { name, deployment, options, caughtBy };
}

export function isGetPet(request: Request): boolean {
  return request.method === 'GET' && new URL(request.url).pathname.startsWith('/v1/pets/');
}

export function isListPets(request: Request): boolean {
  return request.method === 'GET' && !isGetPet(request);
}

export function isCreatePet(request: Request): boolean {
  return request.method === 'POST';
}

/** Returns an empty text if the request has no key. */
export function authorizationOf({ headers }: Request): string {
  return headers.get('authorization') ?? '';
}

export function isFree(request: Request): boolean {
  return authorizationOf(request) === `Bearer ${FREE_KEY}`;
}

export function query(request: Request, name: string): string | null {
  return new URL(request.url).searchParams.get(name);
}

/** Changes a request before the service gets it. */
export function onRequest(
  when: (request: Request) => boolean,
  change: (request: Request) => Promise<Request> | Request,
): Fault {
  return async (request, service) => service(when(request) ? await change(request) : request);
}

export function withQuery(name: string, value: string | null) {
  return (request: Request) => {
    const url = new URL(request.url);
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return new Request(url.href, { headers: request.headers });
  };
}

/** Reads one value of a parameter as another. null stands for no value. */
export function onQuery(name: string, sent: string | null, read: string | null): Fault {
  return onRequest(
    (request) => isListPets(request) && query(request, name) === sent,
    withQuery(name, read),
  );
}

export function withKey(request: Request): Request {
  const changed = new Request(request);
  changed.headers.set('Authorization', `Bearer ${KEY}`);
  return changed;
}

export function withBody(change: (body: Body) => void) {
  return async (request: Request) => {
    const body = parseJson(await request.text());
    if (typeof body === 'object' && body !== null) change(body as Body);
    return new Request(request.url, {
      method: request.method,
      headers: request.headers,
      body: body === undefined ? '' : stringify(body),
    });
  };
}

/** Changes a response of the service. */
export function onResponse(
  when: (response: Response, request: Request) => boolean,
  change: (response: Response, request: Request) => Promise<Response> | Response,
): Fault {
  return async (request, service) => {
    const response = await service(request.clone() as Request);
    return when(response, request) ? change(response, request) : response;
  };
}

/** Also changes the status in an error body. */
export function withStatus(status: number) {
  return async (response: Response) => {
    const text = await response.text();
    const { headers } = response;
    const body = status < 400 ? text : text.replace(/"status":\d+/, `"status":${status}`);
    return new Response(body, { status, headers });
  };
}

/** null removes the header. */
export function withHeader(name: string, value: string | null | ((old: string) => string)) {
  return (response: Response) => {
    const { headers } = response;
    if (value === null) headers.delete(name);
    else headers.set(name, typeof value === 'string' ? value : value(headers.get(name) ?? ''));
    return response;
  };
}

export function withText(change: (text: string) => string) {
  return async (response: Response) => {
    const { status, headers } = response;
    return new Response(change(await response.text()), { status, headers });
  };
}

/** Changes a field of an error, a pet, or each pet of a list. undefined removes it. */
export function withField(
  field: string,
  change: ((value: unknown) => unknown) | bigint | number | string | string[] | undefined,
) {
  return withText((text) => {
    const value = parseJson(text);
    for (const body of [value].flat() as Body[]) {
      body[field] = typeof change === 'function' ? change(body[field]) : change;
    }
    return stringify(value);
  });
}

export function hasStatus(...statuses: number[]) {
  return ({ status }: Response) => statuses.includes(status);
}

export const isSuccess = hasStatus(200, 201);

/** Excludes 429, since the contract leaves its body open. */
export function isError({ status }: Response): boolean {
  return status >= 400 && status !== 429;
}

export const isRefusal = hasStatus(429);

/** An error of the service with another status. */
export function problem(status: number) {
  return ({ headers }: Response) =>
    Response.json({ code: 'problem', message: 'A problem.', status }, { status, headers });
}
