import { expect } from 'bun:test';
import type { Store } from '../../src/domain/backend.ts';
import type { Limits } from '../../src/domain/plan.ts';
import type { PublicServer } from '../../src/http/server.ts';
import type { ServiceParts } from '../../src/service/service-parts.ts';
import { type BackendName, newSettings, openParts } from './backends.ts';
import { Clock } from './clock.ts';
import { createAccount, createKey } from './open-store.ts';
import { startInstance } from './service.ts';

interface CallOptions {
  readonly key: string;
  readonly testTime?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  /** A pet to create. */
  readonly pet?: string;
}

interface NewTestKey {
  /** Default: that of a new account. */
  readonly accountName?: string;
  readonly limits?: Partial<Limits>;
  readonly expiresAtMs?: number;
  /** The failure that it asks for. */
  readonly failure?: string;
}

interface NewKey {
  readonly id: number;
  readonly key: string;
  readonly accountId: number;
  readonly accountName: string;
}

export interface TestStaging extends AsyncDisposable {
  /** The real time. */
  readonly clock: Clock;
  readonly store: Store;
  /** That of the first instance. */
  readonly limiter: ServiceParts['limiter'];
  /** That of each instance. */
  readonly urls: readonly string[];
  /** On the first instance. */
  requestsInFlight(): number;
  /** Each call goes to another instance than the one before. */
  call(path: string, options: CallOptions): Promise<Response>;
  makeKey(key?: NewTestKey): Promise<NewKey>;
}

/** Staging: one instance on a file, or two on PostgreSQL and Redis. */
export async function startStaging(backend: BackendName): Promise<TestStaging> {
  const clock = new Clock();
  await using opening = new AsyncDisposableStack();
  const settings = await newSettings(backend);
  const instances: { readonly parts: ServiceParts; readonly server: PublicServer }[] = [];
  for (let count = backend === 'SQLite' ? 1 : 2; count > 0; count--) {
    const parts = opening.use(await openParts(settings, clock, 'staging'));
    const server = startInstance(parts, clock, {}, { publicUrl: 'https://staging.example' });
    opening.defer(() => server.stop(1));
    instances.push({ parts, server });
  }
  const [{ store, limiter }] = instances.map(({ parts }) => parts) as [ServiceParts];

  let calls = 0;
  async function call(path: string, options: CallOptions): Promise<Response> {
    const { key, testTime, headers, pet, method = pet === undefined ? 'GET' : 'POST' } = options;
    const { server } = instances[calls++ % instances.length] as (typeof instances)[number];
    const response = await fetch(`${server.localUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(testTime !== undefined && { 'X-Test-Time': testTime }),
        ...(pet !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(pet !== undefined && { body: JSON.stringify({ name: pet, categoryId: 1 }) }),
    });
    expect(response.headers.get('X-Environment')).toBe('staging');
    return response;
  }

  let accounts = 0;
  async function makeKey({ accountName, limits, expiresAtMs, failure }: NewTestKey = {}) {
    const nowMs = clock.now();
    const name = accountName ?? `account-${++accounts}`;
    if (accountName === undefined) await createAccount(store, { name, limits, nowMs });
    const { id, accountId, secret } = await createKey(store, {
      accountName: name,
      environment: 'staging',
      expiresAtMs,
      nowMs,
    });
    const key = failure === undefined ? secret : `${secret}~${failure}`;
    return { id, key, accountId, accountName: name };
  }

  const resources = opening.move();
  return {
    clock,
    store,
    limiter,
    call,
    makeKey,
    urls: instances.map(({ server }) => server.localUrl),
    requestsInFlight: () => instances[0]?.server.requestsInFlight() ?? 0,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
