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

/** The operator's listener: not for the public, and by default only for this machine. */
export function startOperatorServer(
  listen: OperatorListen,
  metrics: Metrics,
  health: Health,
): OperatorServer {
  const server = Bun.serve({
    ...listen,
    development: false,
    // Otherwise a second service on this port would silently get half of the requests.
    reusePort: false,
    routes: {
      '/health/live': { GET: () => healthResponse(health.isAlive(), 'live') },
      '/health/ready': {
        GET: async () => healthResponse(await health.isReady().catch(() => false), 'ready'),
      },
      '/metrics': {
        GET: () => new Response(metrics.render(), { headers: { 'Content-Type': CONTENT_TYPE } }),
      },
    },
    fetch: () => Response.json({ status: 'not found' }, { status: 404 }),
  });
  return { url: server.url.origin, stop: () => server.stop(true) };
}

function healthResponse(isHealthy: boolean, status: string): Response {
  return isHealthy
    ? Response.json({ status })
    : Response.json({ status: `not ${status}` }, { status: 503 });
}
