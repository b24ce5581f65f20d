import { isIP } from 'node:net';
import { API_PREFIX } from '#contract/api.ts';
import type { Route, RoutedRequest } from '#contract/exchange.ts';
import { OPERATION_NAMES, OPERATIONS } from '#contract/operations.ts';
import { isWildcard } from '#formats/server-url.ts';
import { type Dependencies, Pipeline } from './answer.ts';
import { splitUrl } from './query.ts';
import { ResponseWriter } from './response.ts';
import type { Pages } from './unserved.ts';

/** A connection closes after this time without a byte in either direction. */
const IDLE_TIMEOUT_SECONDS = 30;
/** The ciphers of TLS 1.2 that have forward secrecy. All ciphers of TLS 1.3 have it. */
const TLS_1_2_CIPHERS = 'ECDHE+AESGCM:ECDHE+CHACHA20';

export interface ListenOptions {
  readonly hostname: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** The URL that callers use, if it differs from the URL of the listener. */
  readonly publicUrl?: string | undefined;
  readonly trustedProxies: number;
}

export type PublicServer = ReturnType<typeof startPublicServer>;

/** Starts the public listener. `openPages` makes the pages, which show the public URL. */
export function startPublicServer(
  dependencies: Dependencies,
  openPages: (publicUrl: string) => Pages,
  listen: ListenOptions,
) {
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: listen.hostname,
    port: listen.port,
    ...(listen.tls && { tls: { ...listen.tls, ciphers: TLS_1_2_CIPHERS } }),
    // The timeout also drops a client that does not read its response.
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    // The runtime's response to a large body has no Error object, so readJsonBody enforces the limit.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Otherwise a second service on this port would silently get half of the requests.
    reusePort: false,
    ...routesTo((request, route) => pipeline.answer(request, route)),
  });
  // These parts need the URL. It is known only now, because port 0 has become a real port. No request is served earlier.
  const { protocol, port, origin } = server.url;
  const localUrl = isWildcard(listen.hostname) ? `${protocol}//localhost:${port}` : origin;
  const { publicUrl = localUrl, tls, trustedProxies } = listen;
  const { environment } = dependencies;
  const responses = new ResponseWriter(publicUrl, environment, tls !== undefined);
  const pipeline = new Pipeline({
    ...dependencies,
    pages: openPages(publicUrl),
    responses,
    publicUrl,
    addressOf: (request) =>
      forwardedAddress(request.headers.get('x-forwarded-for'), trustedProxies) ??
      server.requestIP(request)?.address ??
      'unknown',
  });

  return {
    /** The URL that callers use, without the version prefix. */
    publicUrl,
    /** The URL of the listener. */
    localUrl,
    /** Returns the number of API requests in progress. */
    requestsInFlight: () => pipeline.requestsInProgress,
    /** From now on every response asks its client to open a new connection. */
    drain() {
      responses.closesConnections = true;
    },
    /** Refuses new connections. Resolves once all requests in flight have ended or the grace is over. */
    async stop(graceSeconds: number) {
      const grace = AbortSignal.timeout(graceSeconds * 1000);
      grace.onabort = () => server.stop(true);
      await server.stop();
      grace.onabort = null;
    },
  };
}

/**
 * Returns the routes for `Bun.serve`, which match the path and the method of a request to an operation. The
 * runtime compares the path as it was sent: it decodes a code such as `%70` only in a parameter. In the URL of
 * a request, in contrast, `\` has become `/` and dot segments are gone.
 */
function routesTo(answer: (request: RoutedRequest, route: Route) => Promise<Response>) {
  const byPath = Map.groupBy(OPERATION_NAMES, (name) => OPERATIONS[name].path);
  const routes = Array.from(byPath, ([template, names]) => {
    const allow: string[] = [];
    const byMethod = new Map<string, Route>();
    for (const operation of names) {
      const { method } = OPERATIONS[operation];
      const route = { isApi: true, operation, allow };
      byMethod.set(method, route);
      if (method === 'GET') byMethod.set('HEAD', route);
    }
    allow.push(...byMethod.keys(), 'OPTIONS');
    const otherMethod = { isApi: true, operation: undefined, allow };
    const pattern = API_PREFIX + template.replace(/\{(\w+)\}/, ':$1');
    const handler = (request: RoutedRequest) =>
      answer(request, byMethod.get(request.method) ?? otherMethod);
    return [pattern, handler] as const;
  });
  return {
    routes: Object.fromEntries(routes),
    fetch: (request: Request) =>
      answer(request, { isApi: isApi(request.url), operation: undefined, allow: [] }),
  };
}

function isApi(url: string): boolean {
  const { path } = splitUrl(url);
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}

/**
 * Returns the client's address according to the trusted proxies, or undefined if they have not given one. Each
 * proxy appends the address that it saw to X-Forwarded-For. The client may have written any entry before.
 */
export function forwardedAddress(
  forwardedFor: string | null,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0 || forwardedFor === null) return undefined;
  const entries = forwardedFor.split(',');
  const part = entries[Math.max(0, entries.length - trustedProxies)]?.trim() ?? '';
  // The entry is copied, because a slice would keep the whole header in memory as long as the address.
  const entry = entries.length === 1 ? part : Buffer.from(part).toString();
  // Some proxies report `192.0.2.1:49152`, `[2001:db8::1]:49152` or `[2001:db8::1]`.
  const address = entry.replace(/^(?:\[([^\]]+)\]|([\d.]+)(?=:))(?::\d{1,5})?$/, '$1$2');
  // An address with a zone is refused. A zone has a meaning only on its own machine, and may be any text.
  return isIP(address) !== 0 && !address.includes('%') ? address : undefined;
}
