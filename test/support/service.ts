import type { Call, ResponseParts } from '../../src/contract/call.ts';
import type { KeyScope } from '../../src/domain/api-key.ts';
import { parseJson } from '../../src/domain/json.ts';
import type { Limits, Plan } from '../../src/domain/plan.ts';
import type { Dependencies } from '../../src/http/answer.ts';
import { type ListenOptions, type PublicServer, startPublicServer } from '../../src/http/server.ts';
import { platform } from '../../src/platform.ts';
import { ReferencePages } from '../../src/reference/reference-pages.tsx';
import type { ServiceParts } from '../../src/service/service-parts.ts';
import { openBackend } from './backends.ts';
import { checkResponse } from './check-response.ts';
import { Clock } from './clock.ts';
import { createAccount, createKey } from './open-store.ts';

export interface CallOptions {
  readonly method?: string;
  /** The secret to send. null sends no key. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
}

interface Observed {
  readonly call: Readonly<Call>;
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
    const nowMs = clock.now();
    await createAccount(store, { name: accountName, plan, limits, nowMs });
    const { id, secret } = await createKey(store, { accountName, expiresAtMs, nowMs });
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

  function post(body: unknown, { headers, ...options }: CallOptions = {}): Promise<Response> {
    return call('/pets', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
      ...options,
    });
  }

  return {
    ...backend,
    clock,
    url,
    observed,
    key,
    call,
    post,
    makeKey,
    /** Creates another key for an account, and returns its secret. */
    anotherKey: async (accountName: string, scope?: KeyScope) =>
      (await createKey(store, { accountName, nowMs: clock.now(), scope })).secret,
    async [Symbol.asyncDispose]() {
      await server.stop(1);
      await backend[Symbol.asyncDispose]();
    },
  };
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
      ...replace,
    },
    (publicUrl) => new ReferencePages({ publicUrl, programVersion: '0.0.0' }),
    {
      hostname: '127.0.0.1',
      port: 0,
      trustedProxies: 0,
      maxRequests: Infinity,
      onRequestShed() {},
      ...listen,
    },
  );
}

/** The body, with integers as bigints. */
export async function exactJson(response: Response): Promise<unknown> {
  return parseJson(await response.text());
}
