import { CONTRACTS } from '#contract/environment.ts';
import { CACHE_HEADERS, SNIFFING_HEADERS, withDate } from '#contract/headers.ts';
import {
  type ConsoleOptions,
  consoleResponders,
  HOST_REFUSED,
  isAllowedHost,
  isRead,
} from './console-server.ts';
import type { Metrics } from './metrics.ts';

const MAX_CONSOLE_BODY_BYTES = 16 * 1024;

/** The Prometheus text format, version 0.0.4. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A report on a large store may take longer than the runtime keeps an idle connection by default. */
const REPORT_SECONDS = 120;

interface OperatorParts {
  readonly metrics: Metrics;
  /** Service managers and load balancers ask for it. */
  readonly health: {
    /** False if nothing but a restart can help. */
    readonly isAlive: () => boolean;
    readonly isReady: () => Promise<boolean>;
  };
  readonly now: () => number;
  readonly console: ConsoleOptions;
}

/** Starts the operator listener. It is not for the public, and by default only this machine can reach it. */
export function startOperatorServer(
  listen: { readonly hostname: string; readonly port: number },
  { metrics, health, now, console }: OperatorParts,
) {
  const { marks } = CONTRACTS[console.facts.environment];
  const common = Object.entries({ ...SNIFFING_HEADERS, ...CACHE_HEADERS, ...marks });
  const finish = (response: Response): Response => {
    const { headers } = response;
    // The files of the console have their own rule for caches.
    for (const [name, value] of common) if (!headers.has(name)) headers.set(name, value);
    return withDate(response, now());
  };
  /** Returns a handler that responds to GET and HEAD, and refuses other methods. */
  const readOnly =
    (read: (headers: Headers) => Response | Promise<Response>) => async (request: Request) =>
      finish(
        isRead(request)
          ? await read(request.headers)
          : statusResponse('method not allowed', 405, { Allow: 'GET, HEAD' }),
      );
  const responders = consoleResponders(console, { port: () => Number(server.port), now });
  const consoleRoutes = Object.entries(responders).map(([path, respond]) => [
    path,
    async (request: Request) => {
      const address = server.requestIP(request)?.address ?? 'unknown';
      return finish(await respond(request, address));
    },
  ]);

  const server: Bun.Server<undefined> = Bun.serve({
    ...listen,
    development: false,
    maxRequestBodySize: MAX_CONSOLE_BODY_BYTES,
    idleTimeout: REPORT_SECONDS,
    // Otherwise a second service could listen on this port too, and would silently get half of the requests.
    reusePort: false,
    routes: {
      '/health/live': readOnly(() => healthResponse(health.isAlive(), 'live')),
      '/health/ready': readOnly(async () => healthResponse(await health.isReady(), 'ready')),
      '/metrics': readOnly((headers) =>
        isAllowedHost(headers, console.allowedHosts)
          ? new Response(metrics.render(), { headers: { 'Content-Type': METRICS_TYPE } })
          : statusResponse(HOST_REFUSED, 403),
      ),
      ...Object.fromEntries(consoleRoutes),
    },
    fetch: () => finish(statusResponse('not found', 404)),
  });
  return { url: server.url.origin, port: Number(server.port), stop: () => server.stop(true) };
}

function healthResponse(isHealthy: boolean, status: string): Response {
  return isHealthy ? statusResponse(status, 200) : statusResponse(`not ${status}`, 503);
}

function statusResponse(text: string, status: number, headers = {}): Response {
  return Response.json({ status: text }, { status, headers });
}
