import { afterAll, expect } from 'bun:test';
import type { Limits } from '#domain/plan.ts';
import { startInstance } from '../support/service.ts';
import {
  type BackendName,
  createAccount,
  createKey,
  newSettings,
  openParts,
} from '../support/store.ts';
import { Clock } from '../support/time.ts';

interface CallOptions {
  readonly key: string;
  readonly testTime?: string | undefined;
  readonly headers?: Record<string, string>;
  /** A pet to create. */
  readonly pet?: string;
}

interface NewTestKey {
  /** Default: that of a new account. */
  readonly accountName?: string;
  readonly limits?: Partial<Limits>;
  readonly expiresAtMs?: number;
  /** The failure that the key asks for. */
  readonly failure?: string;
}

/** Staging for all tests of a file: one instance on a file, or two on PostgreSQL and Redis. */
export async function startStagingForAll(backend: BackendName) {
  /** The real time. */
  const clock = new Clock();
  await using opening = new AsyncDisposableStack();
  const settings = await newSettings(backend);
  const start = async () => {
    const parts = opening.use(await openParts(settings, clock, 'staging'));
    const server = startInstance(parts, clock, {}, { publicUrl: 'https://staging.example' });
    opening.defer(() => server.stop(1));
    return { store: parts.store, server };
  };
  const { store, server } = await start();
  const urls = [server.localUrl];
  if (backend !== 'SQLite') urls.push((await start()).server.localUrl);

  let calls = 0;
  /** Each call goes to another instance than the one before. */
  async function call(path: string, { key, testTime, headers, pet }: CallOptions) {
    const response = await fetch(`${urls[calls++ % urls.length]}${path}`, {
      method: pet === undefined ? 'GET' : 'POST',
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
    const name = accountName ?? `account-${++accounts}`;
    if (accountName === undefined) await createAccount(store, { name, limits });
    const { id, secret } = await createKey(store, {
      accountName: name,
      environment: 'staging',
      expiresAtMs,
    });
    const key = failure === undefined ? secret : `${secret}~${failure}`;
    return { id, key, accountName: name };
  }

  const resources = opening.move();
  afterAll(() => resources.disposeAsync());
  return {
    clock,
    store,
    call,
    makeKey,
    /** The URL of the first instance. */
    url: server.localUrl,
    requestsInFlight: server.requestsInFlight,
  };
}
