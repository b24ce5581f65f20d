import { afterAll, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest, ResponseParts } from '#contract/exchange.ts';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import type { Limits, Plan } from '#domain/plan.ts';
import { exactJson, type JsonValue, parseJson } from '#formats/json.ts';
import type { Dependencies } from '#http/answer.ts';
import { type ListenOptions, type PublicServer, startPublicServer } from '#http/server.ts';
import { platform } from '#platform.ts';
import { ReferencePages } from '#reference/reference-pages.tsx';
import type { ServiceParts } from '#service/service-parts.ts';
import { createAccount, createKey, openBackend } from './store.ts';
import { Clock } from './time.ts';

export interface CallOptions {
  readonly method?: string;
  /** The secret to send. null sends no key. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
}

/** A pet to post. */
export const REX = { name: 'Rex', categoryId: 1 };

interface Observed {
  readonly call: ObservedRequest;
  /** Of the request. After the response, the runtime no longer knows it. */
  readonly url: string;
  readonly response: ResponseParts;
}

export type TestService = Awaited<ReturnType<typeof startService>>;

interface ServiceOptions {
  readonly clock?: Clock;
  readonly listen?: Partial<ListenOptions>;
  /** Parts to replace, for example with ones that fail. */
  readonly replace?: Partial<Dependencies>;
}

/** A service for tests: a real listener, a real store, and a clock that the test moves. */
export async function startService({ clock = new Clock(), listen, replace }: ServiceOptions = {}) {
  const backend = await openBackend(clock);
  const { store } = backend;
  /** All requests and responses that the service reported, in order. */
  const observed: Observed[] = [];
  const server = startInstance(
    backend,
    clock,
    {
      observe: (call, response) => observed.push({ call, response, url: call.request.url }),
      ...replace,
    },
    listen,
  );

  let accounts = 0;
  /** Creates an account and a key. */
  async function makeKey(plan?: Plan, limits?: Partial<Limits>, expiresAtMs?: number) {
    const accountName = `account-${++accounts}`;
    await createAccount(store, { name: accountName, plan, limits });
    const { id, secret } = await createKey(store, { accountName, expiresAtMs });
    return { id, secret, accountName };
  }

  /** The key that calls use by default. Its account has high limits. */
  const key = await makeKey();
  const url = `${server.localUrl}/v1`;

  async function call(path: string, options: CallOptions = {}): Promise<Response> {
    const { method = 'GET', key: secret = key.secret, headers = {}, body } = options;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(secret !== null && { Authorization: `Bearer ${secret}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    await checkResponse(method, path.replace(/\?.*$/, ''), response);
    return response;
  }

  /** Sends the example of an operation, by default with the pet 1. */
  function send(
    { method, path, body }: Operation,
    { headers, ...options }: CallOptions = {},
  ): Promise<Response> {
    return call(path.replace('{petId}', '1'), {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body.example) }),
      ...options,
    });
  }

  function post(body: unknown, options?: CallOptions): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return send(OPERATIONS.createPet, { body: text, ...options });
  }

  return {
    ...backend,
    clock,
    url,
    observed,
    key,
    call,
    send,
    post,
    makeKey,
    /** Creates a read-only key, and returns its secret. */
    readOnlyKey: async ({ accountName } = key) =>
      (await createKey(store, { accountName, scope: 'read' })).secret,
    async [Symbol.asyncDispose]() {
      await server.stop(1);
      await backend[Symbol.asyncDispose]();
    },
  };
}

/** A service for all tests of a file. It stops after the last one. */
export async function startServiceForAll(options?: ServiceOptions): Promise<TestService> {
  const service = await startService(options);
  afterAll(() => service[Symbol.asyncDispose]());
  return service;
}

/** A listener on a free port. */
export function startInstance(
  parts: ServiceParts,
  { now }: Clock,
  replace: Partial<Dependencies>,
  listen: Partial<ListenOptions> = {},
): PublicServer {
  return startPublicServer(
    {
      ...parts,
      brownouts: [],
      now,
      newRequestId: platform.newRequestId,
      observe: () => {},
      onFault: () => {},
      onRequestShed: () => {},
      maxRequests: Infinity,
      lastFailuresOf: () => [],
      ...replace,
    },
    (publicUrl) => new ReferencePages({ publicUrl, programVersion: '0.0.0' }),
    {
      hostname: '127.0.0.1',
      port: 0,
      trustedProxies: 0,
      ...listen,
    },
  );
}

export async function expectCode(
  response: Response,
  code: ErrorCode,
  message: string | RegExp = '',
): Promise<void> {
  const error = await response.json();
  const { status } = ERRORS[code];
  expect(response.status).toBe(status);
  expect(error).toMatchObject({ code, status });
  expect(error.message).toMatch(message);
}

/** The body, with integers as bigints. */
export async function exactBody(response: Response): Promise<unknown> {
  return parseJson(await response.text());
}

const WHOLE_NUMBER = /^\d+$/;
/** Browsers show these to pages of other origins anyway, or pages have no use for them. */
const NOT_EXPOSED =
  /^(cache-control|content-length|content-type|connection|x-content-type-options|access-control-.*)$/;

/** The committed OpenAPI document. */
const DOCUMENT = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** HTTP itself defines these, so the document does not list them. */
const HTTP_HEADERS = ['content-type', 'content-length', 'date', 'connection'];

interface Reference {
  readonly $ref?: string;
}

/** `RateLimit-Policy` and `RateLimit`. */
const BOTH_WINDOWS =
  /^"minute";q=\d+;w=60, "day";q=\d+;w=86400 "minute";r=\d+;t=[1-9]\d*, "day";r=\d+;t=[1-9]\d*$/;

/** The rules for every response under /v1. */
async function checkResponse(method: string, path: string, response: Response) {
  const { headers, status } = response;
  const limit = headers.get('x-ratelimit-limit');
  const remaining = headers.get('x-ratelimit-remaining');
  expect(limit).toMatch(WHOLE_NUMBER);
  expect(remaining).toMatch(WHOLE_NUMBER);
  expect(headers.get('x-ratelimit-reset')).toMatch(WHOLE_NUMBER);
  expect(Number(remaining)).toBeLessThanOrEqual(Number(limit));
  const both = `${headers.get('ratelimit-policy')} ${headers.get('ratelimit')}`;
  if (both !== 'null null' || status === 429) {
    expect(both).toMatch(BOTH_WINDOWS);
    expect(both).toContain(`;q=${limit};`);
    expect(both).toContain(`;r=${remaining};`);
  }
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
  for (const name of headers.keys()) {
    if (!NOT_EXPOSED.test(name)) expect(exposed).toContain(name);
  }
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);

  const text = await response.clone().text();
  const operation = operationAt(method, path);
  if (operation !== undefined) checkHeaders(operation, response);
  if (status === 204 || method === 'HEAD') {
    expect(text).toBe('');
    return;
  }
  expect(headers.get('content-type')).toBe('application/json');
  if (status < 400) {
    const body = parseJson(text);
    // Zod drops unknown members and adds defaults, and either would make a difference.
    const parsed = operation?.success.schema.parse(body) as JsonValue;
    expect(parseJson(exactJson(parsed))).toEqual(body);
    return;
  }
  const error = JSON.parse(text);
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'status']);
  expect(error.status).toBe(status);
  expect(ERRORS[error.code as ErrorCode].status).toBe(status);
  if (operation !== undefined) expect(operation.errors).toContain(error.code);
  const { pattern } = DOCUMENT.components.schemas.Error.properties.message;
  expect(error.message).toMatch(new RegExp(pattern, 'u'));
  expect(headers.get('link')).toEndWith(`/docs/errors#${error.code}>; rel="help"`);
}

/** Undefined for paths and methods that the API does not have. */
function operationAt(method: string, path: string): Operation | undefined {
  return Object.values<Operation>(OPERATIONS).find(
    (operation) =>
      operation.method === (method === 'HEAD' ? 'GET' : method) &&
      new RegExp(`^${operation.path.replace('{petId}', '[^/]+')}$`).test(path),
  );
}

/** A response has the headers that the document requires, and no undocumented ones. */
function checkHeaders({ method, path }: Operation, { status, headers }: Response): void {
  const { responses } = DOCUMENT.paths[path][method.toLowerCase()];
  expect(Object.keys(responses)).toContain(`${status}`);
  const documented = Object.entries<Reference>(resolve(responses[status]).headers);
  for (const [name, header] of documented) {
    if (resolve(header).required) expect([...headers.keys()]).toContain(name.toLowerCase());
  }
  const known = [...HTTP_HEADERS, ...documented.map(([name]) => name.toLowerCase())];
  expect(known).toEqual(expect.arrayContaining([...headers.keys()]));
}

/** Follows a reference of the document. */
function resolve(part: Reference) {
  const [, ...names] = part.$ref?.split('/') ?? [];
  return part.$ref === undefined ? part : names.reduce((found, name) => found[name], DOCUMENT);
}
