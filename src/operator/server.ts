import type { Metrics } from './metrics.ts';
import { CONTENT_TYPE } from './prometheus.ts';

export interface OperatorServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface OperatorListen {
  readonly hostname: string;
  readonly port: number;
}

/** What a supervisor and a load balancer ask. */
export interface Health {
  /** False when only a restart can help. */
  readonly isAlive: () => boolean;
  readonly isReady: () => Promise<boolean>;
}

/** The operator's listener: never for the public, and by default for this machine alone. */
export function startOperatorServer(
  listen: OperatorListen,
  metrics: Metrics,
  health: Health,
): OperatorServer {
  const server = Bun.serve({
    ...listen,
    development: false,
    // Otherwise a second service on this port would be given half of the requests, without a word.
    reusePort: false,
    routes: {
      '/health/live': { GET: () => verdict(health.isAlive(), 'live') },
      '/health/ready': {
        GET: async () => verdict(await health.isReady().catch(() => false), 'ready'),
      },
      '/metrics': {
        GET: () => new Response(metrics.render(), { headers: { 'Content-Type': CONTENT_TYPE } }),
      },
    },
    fetch: () => Response.json({ status: 'not found' }, { status: 404 }),
  });
  return { url: server.url.origin, stop: () => server.stop(true) };
}

function verdict(yes: boolean, status: string): Response {
  return yes
    ? Response.json({ status })
    : Response.json({ status: `not ${status}` }, { status: 503 });
}
