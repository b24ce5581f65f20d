import { ENVIRONMENT_HEADER } from '../contract/environment.ts';
import { CACHE_HEADERS, SNIFFING_HEADERS, withDate } from '../contract/headers.ts';
import { type ConsoleOptions, consoleResponders } from './console.ts';
import { MAX_CONSOLE_BODY_BYTES } from './console-api/body.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import { CONTENT_TYPE } from './prometheus.ts';
import { isRead } from './request-origin.ts';

interface OperatorServer {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

interface OperatorListen {
  readonly hostname: string;
  readonly port: number;
}

interface OperatorParts {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly now: () => number;
  readonly console: ConsoleOptions;
}

const HEADERS = { ...SNIFFING_HEADERS, ...CACHE_HEADERS };

/** The operator's listener: not for the public, and by default only for this machine. */
export function startOperatorServer(
  listen: OperatorListen,
  { metrics, health, now, console }: OperatorParts,
): OperatorServer {
  const { environment } = console.facts;
  const finish = (response: Response): Response => {
    if (environment !== undefined) response.headers.set(ENVIRONMENT_HEADER, environment);
    return withDate(response, now());
  };
  /** A handler for GET and HEAD. */
  const readOnly =
    (read: (request: Request) => Response | Promise<Response>) =>
    async (request: Request): Promise<Response> =>
      finish(
        isRead(request)
          ? await read(request)
          : statusResponse('method not allowed', 405, { Allow: 'GET, HEAD' }),
      );
  const { files, api } = consoleResponders(console, () => Number(server.port), now);
  const addressOf = (request: Request) => server.requestIP(request)?.address ?? 'unknown';

  const server: Bun.Server<undefined> = Bun.serve({
    ...listen,
    development: false,
    maxRequestBodySize: MAX_CONSOLE_BODY_BYTES,
    // Otherwise a second service on this port would silently get half of the requests.
    reusePort: false,
    routes: {
      '/health/live': readOnly(() => healthResponse(health.isAlive(), 'live')),
      '/health/ready': readOnly(async () =>
        healthResponse(await health.isReady().catch(() => false), 'ready'),
      ),
      '/metrics': readOnly(
        () =>
          new Response(metrics.render(), { headers: { ...HEADERS, 'Content-Type': CONTENT_TYPE } }),
      ),
      ...Object.fromEntries(
        Array.from(files, ([path, read]) => [path, readOnly((request) => read(request, ''))]),
      ),
      ...Object.fromEntries(
        Array.from(api, ([path, respond]) => [
          path,
          async (request: Request) => finish(await respond(request, addressOf(request))),
        ]),
      ),
    },
    fetch: () => finish(statusResponse('not found', 404)),
  });
  return { url: server.url.origin, port: Number(server.port), stop: () => server.stop(true) };
}

function healthResponse(isHealthy: boolean, status: string): Response {
  return isHealthy ? statusResponse(status, 200) : statusResponse(`not ${status}`, 503);
}

function statusResponse(text: string, status: number, further = {}): Response {
  return Response.json({ status: text }, { status, headers: { ...HEADERS, ...further } });
}
