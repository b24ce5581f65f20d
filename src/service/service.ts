import { version } from '../../package.json' with { type: 'json' };
import { Sampled } from '../async/sampled.ts';
import type { Config } from '../config.ts';
import type { Store } from '../domain/backend.ts';
import { brownoutAt } from '../domain/brownout.ts';
import type { Origin } from '../domain/operator/audit.ts';
import { startPublicServer } from '../http/server.ts';
import { whyRedisFailed } from '../limiters/redis/connection.ts';
import { EventLoopLag } from '../operator/event-loop-lag.ts';
import type { Health } from '../operator/health.ts';
import { Live } from '../operator/live.ts';
import { startOperatorServer } from '../operator/server.ts';
import { UsageRecorder } from '../operator/usage-recorder.ts';
import { platform } from '../platform.ts';
import { ReferencePages } from '../reference/reference-pages.tsx';
import { readTls, startListener } from './listener.ts';
import { createLog } from './log.ts';
import { consoleOptions, makeToken } from './operator-console.ts';
import { Reporter } from './reporter.ts';
import { openServiceParts } from './service-parts.ts';
import { type StartReport, startReport, takeFirstStep } from './start-report.ts';

/** Service managers allow ten seconds for a stop. */
const STOP_GRACE_SECONDS = 8;
/** Two scrapes in a row check readiness once. */
const READY_MAX_AGE_MS = 1_000;
/** Clients that send requests all the time learn within it that they must reconnect. */
const LAST_REQUESTS_MS = 500;

/** Starts everything. It stops in this order: new requests, those in flight, history, counts, store. */
export async function startService(
  config: Config,
  { origin, program }: { readonly origin: Origin; readonly program: string },
): Promise<AsyncDisposable & { readonly report: StartReport }> {
  const { stagingUrl, isStaging, publicUrl, trustedProxies, maxRequests, brownouts } = config;
  const { now, newRequestId } = platform;
  const tls = readTls(config);
  await using starting = new AsyncDisposableStack();
  const reporter = starting.use(new Reporter(config, createLog(config)));
  const { metrics } = reporter;
  const parts = starting.use(await openServiceParts(config, { now, ...reporter.partHooks() }));
  const { store, pets, keys, limiter, rehearsals } = parts;
  const recorder = starting.use(
    new UsageRecorder({ history: store.history, now, ...reporter.historyHooks() }),
  );

  let stopping = false;
  const health = {
    isAlive: () => store.isAlive(),
    isReady: async () => !stopping && (await store.isReady()),
  };
  starting.use(new EventLoopLag(metrics.observeEventLoopLag));
  metrics.watch(storeSources(config, store, health));
  metrics.watch({ isBrownout: () => brownoutAt(brownouts, now()) !== undefined });

  const live = starting.use(new Live({ metrics, health, now }));
  const token = config.operatorToken ?? makeToken();
  const operatorListen = { hostname: config.operatorHostname, port: config.operatorPort };
  const operator = await startListener(config, 'OPERATOR_', operatorListen, () =>
    startOperatorServer(operatorListen, {
      metrics,
      health,
      now,
      console: consoleOptions(config, {
        token,
        live,
        service: parts,
        publicUrl: () => api.publicUrl,
        onFault: reporter.onConsoleFault,
      }),
    }),
  );
  starting.defer(() => operator.stop());

  const publicListen = { hostname: config.hostname, port: config.port };
  const api = await startListener(config, '', publicListen, () =>
    startPublicServer(
      {
        pets,
        keys,
        limiter,
        brownouts,
        rehearsals,
        now,
        newRequestId,
        ...reporter.requestHooks(recorder),
      },
      (url) =>
        new ReferencePages({
          publicUrl: url,
          deployments: { staging: stagingUrl },
          environment: isStaging ? 'staging' : 'production',
          programVersion: version,
        }),
      {
        ...publicListen,
        publicUrl,
        trustedProxies,
        tls,
        maxRequests,
        onRequestShed: reporter.onRequestShed,
      },
    ),
  );
  metrics.watch({ requestsInFlight: api.requestsInFlight });
  starting.defer(async () => {
    // Readiness fails first, so that load balancers send their requests elsewhere.
    stopping = true;
    api.drain();
    await Bun.sleep(config.drainSeconds * 1000);
    await Bun.sleep(LAST_REQUESTS_MS);
    await api.stop(STOP_GRACE_SECONDS);
  });

  const warnings = await redisWarnings(config, reporter.redisError);
  const firstStep = await takeFirstStep(config, store, origin);
  const newToken = config.operatorToken === undefined ? token : undefined;
  const report = startReport(config, { api, operator, newToken, firstStep, program, warnings });
  const running = starting.move();
  return { report, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** What the metrics say about the store and the limiter. */
function storeSources({ database, redisUrl }: Config, store: Store, health: Health) {
  const { sizeBytes: storeBytes, logBytes, pools } = store;
  const ready = new Sampled(() => health.isReady().catch(() => false), READY_MAX_AGE_MS);
  return {
    build: {
      version,
      runtime: `Bun ${Bun.version}`,
      store: database.name,
      limiter: redisUrl === undefined ? 'memory' : 'redis',
    },
    isReady: () => ready.value,
    storeBytes,
    logBytes,
    pools,
  };
}

async function redisWarnings({ redisUrl }: Config, error: unknown): Promise<string[]> {
  if (redisUrl === undefined || error === undefined) return [];
  const reason = await whyRedisFailed(redisUrl, error);
  return [`${reason}. Limits are counted in process until it can be used.`];
}
