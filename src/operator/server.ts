import { CACHE_HEADERS, SNIFFING_HEADERS, withDate } from '../contract/headers.ts';
import type { Metrics } from './metrics.ts';
import { CONTENT_TYPE } from './prometheus.ts';

interface OperatorServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface OperatorListen {
  readonly hostname: string;
  readonly port: number;
}

/** Checked by service managers and load balancers. */
interface Health {
  /** False if only a restart can help. */
  readonly isAlive: () => boolean;
  readonly isReady: () => Promise<boolean>;
}

const HEADERS = { ...SNIFFING_HEADERS, ...CACHE_HEADERS };

/** The operator's listener: not for the public, and by default only for this machine. */
export function startOperatorServer(
  listen: OperatorListen,
  metrics: Metrics,
  health: Health,
  now: () => number,
): OperatorServer {
  /** A handler for GET and HEAD. */
  const readOnly =
    (read: () => Response | Promise<Response>) =>
    async ({ method }: Request): Promise<Response> =>
      method === 'GET' || method === 'HEAD'
        ? withDate(await read(), now())
        : statusResponse('method not allowed', 405, { Allow: 'GET, HEAD' });

  const server = Bun.serve({
    ...listen,
    development: false,
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
    },
    fetch: () => withDate(statusResponse('not found', 404), now()),
  });
  return { url: server.url.origin, stop: () => server.stop(true) };
}

function healthResponse(isHealthy: boolean, status: string): Response {
  return isHealthy ? statusResponse(status, 200) : statusResponse(`not ${status}`, 503);
}

function statusResponse(text: string, status: number, further = {}): Response {
  return Response.json({ status: text }, { status, headers: { ...HEADERS, ...further } });
}
