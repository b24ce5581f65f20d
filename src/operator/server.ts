import type { Metrics } from './metrics.ts';

export interface OperatorServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface OperatorListen {
  readonly hostname: string;
  readonly port: number;
}

/** The operator's listener: never for the public, and by default for this machine alone. */
export function startOperatorServer(
  listen: OperatorListen,
  metrics: Metrics,
  isReady: () => Promise<boolean>,
): OperatorServer {
  const server = Bun.serve({
    ...listen,
    routes: {
      '/health/live': { GET: () => Response.json({ status: 'live' }) },
      '/health/ready': { GET: async () => readiness(await isReady().catch(() => false)) },
      '/metrics': {
        GET: async () =>
          new Response(await metrics.render(), {
            headers: { 'Content-Type': metrics.contentType },
          }),
      },
    },
    fetch: () => Response.json({ status: 'not found' }, { status: 404 }),
  });
  return { url: server.url.origin, stop: () => server.stop(true) };
}

function readiness(ready: boolean): Response {
  return ready
    ? Response.json({ status: 'ready' })
    : Response.json({ status: 'not ready' }, { status: 503 });
}
