import { formatTime } from '#domain/time-text.ts';
import { CHANGE_HEADER } from '#operator/console-api/shapes.ts';
import type { ConsoleOptions } from '#operator/console-server.ts';
import { Metrics } from '#operator/metrics.ts';
import { startOperatorServer } from '#operator/server.ts';
import { Clock } from '../support/time.ts';

export const TOKEN = 'correct-horse-battery';

export interface ConsoleCallOptions {
  readonly method?: string;
  /** The body, which is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type TestConsole = ReturnType<typeof startConsole>;

/** The operator's listener, with a clock that the test moves. */
export function startConsole(options: Partial<ConsoleOptions> = {}, clock = new Clock()) {
  /** The errors that a service would log. */
  const faults: unknown[] = [];
  const server = startOperatorServer(
    { hostname: '127.0.0.1', port: 0 },
    {
      metrics: new Metrics(),
      health: { isAlive: () => true, isReady: async () => true },
      now: clock.now,
      console: {
        builtIn: { name: 'token', token: TOKEN },
        findOperator: async () => undefined,
        newSession: () => crypto.randomUUID(),
        allowedHosts: new Set(),
        facts: {
          version: '1.2.3',
          environment: 'production',
          startedAt: formatTime(clock.now()),
          store: 'a store',
          limiter: 'in process',
          instances: 1,
          publicUrl: 'https://pets.example',
        },
        routes: {},
        storeOf: () => ({}) as never,
        explain: () => undefined,
        onFault: (error) => faults.push(error),
        onSignIn: () => {},
        onSignInFailed: (source) => faults.push(`wrong tokens from ${source}`),
        ...options,
      },
    },
  );
  return {
    url: server.url,
    port: server.port,
    clock,
    faults,
    /** Sends a request as the page does: with the header of a change, but without a session. */
    send: consoleAt(server.url),
    /** The same with the token. */
    call: consoleAt(server.url, TOKEN),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** Sends requests to a console as its page does, with the token of the operator if there is one. */
export function consoleAt(url: string, token?: string) {
  return (path: string, { method = 'GET', body, headers }: ConsoleCallOptions = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(method !== 'GET' && method !== 'HEAD' && { [CHANGE_HEADER]: '1' }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}
