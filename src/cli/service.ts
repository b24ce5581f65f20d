import { version } from '../../package.json' with { type: 'json' };
import { Sampled } from '../async/sampled.ts';
import type { Config } from '../config.ts';
import { ReferencePages } from '../docs/reference-pages.ts';
import { possibleConnections } from '../http/connection-limit.ts';
import { startPublicServer } from '../http/server.ts';
import { EventLoopLag } from '../operator/event-loop-lag.ts';
import { Live } from '../operator/live.ts';
import { Metrics } from '../operator/metrics.ts';
import { startOperatorServer } from '../operator/server.ts';
import { UsageRecorder } from '../operator/usage-recorder.ts';
import { platform } from '../platform.ts';
import { redisAddress, whyRedisFailed } from '../redis/connection.ts';
import { takeFirstStep } from './demo-account.ts';
import { FaultLog } from './fault-log.ts';
import { startListener } from './listener.ts';
import { createLog, logBan, logBrownout, logRequest } from './log.ts';
import { consoleOptions, makeToken } from './operator-console.ts';
import { openServiceParts } from './service-parts.ts';
import { type StartReport, startReport } from './start-report.ts';
import { readTls } from './tls.ts';
import { traceIdOf } from './trace-id.ts';

/** Service managers allow ten seconds for a stop. */
const STOP_GRACE_SECONDS = 8;
/** Two scrapes in a row check readiness once. */
const READY_MAX_AGE_MS = 1_000;
/** Clients that send requests all the time learn within it that they must reconnect. */
const LAST_REQUESTS_MS = 250;

/** Starts everything. It stops in this order: new requests, those in flight, history, counts, store. */
export async function startService(
  config: Config,
): Promise<AsyncDisposable & { readonly report: StartReport }> {
  const log = createLog(config);
  const { redisUrl, instances, stagingUrl, publicUrl, trustedProxies, maxRequests } = config;
  const tls = readTls(config);
  await using starting = new AsyncDisposableStack();
  const metrics = new Metrics();
  const faults = starting.use(new FaultLog(log, platform.now));
  // A stop that gives up disposes nothing.
  process.once('exit', () => faults[Symbol.dispose]());
  const redis = redisUrl && redisAddress(redisUrl);
  let redisError: unknown;
  const parts = await openServiceParts(config, {
    now: platform.now,
    onSaveFailed(error) {
      metrics.recordSaveFailure();
      faults.record(error, 'the counts of the limiter could not be saved');
    },
    onRedisAway(error) {
      redisError = error;
      metrics.setRedisAway(true);
      log.warn({ err: error, redis, instances }, 'Redis is away: limits are counted in process');
    },
    onRedisResponse: metrics.observeRedisRoundTrip,
    onCommit: metrics.observeCommit,
    onRedisBack() {
      metrics.setRedisAway(false);
      log.warn('Redis is back: limits are counted there again');
    },
    onBrownoutBegan: (brownout) => logBrownout(log, brownout, 'began'),
    onBrownoutEnded: (brownout) => logBrownout(log, brownout, 'ended'),
    onBrownoutsFailed: (error) => faults.record(error, 'the brownouts could not be read'),
  });
  const { store, pets, keys, limiter, brownouts } = starting.use(parts);
  const recorder = new UsageRecorder({
    ...{ history: store.history, now: platform.now, writer: platform.newRequestId() },
    onBatchLost(error) {
      metrics.recordHistoryBatchLost();
      faults.record(error, 'a batch of the usage history is lost');
    },
    onCompactionFailed(error) {
      faults.record(error, 'the usage history could not be compacted');
    },
  });
  starting.use(recorder);

  let stopping = false;
  const health = {
    isAlive: () => store.isAlive(),
    isReady: async () => !stopping && (await store.isReady()),
  };
  const ready = new Sampled(() => health.isReady().catch(() => false), READY_MAX_AGE_MS);
  starting.use(new EventLoopLag(metrics.observeEventLoopLag));
  const { sizeBytes: storeBytes, logBytes, pools } = store;
  metrics.watch({
    build: {
      ...{ version, runtime: `Bun ${Bun.version}`, store: config.database.name },
      limiter: redisUrl === undefined ? 'memory' : 'redis',
    },
    ...{ isReady: () => ready.value, storeBytes, logBytes, pools },
  });

  const live = starting.use(new Live({ metrics, health, now: platform.now }));
  const token = config.operatorToken ?? makeToken();
  const operatorListen = { hostname: config.operatorHostname, port: config.operatorPort };
  const operator = await startListener(config, 'OPERATOR_', operatorListen, () =>
    startOperatorServer(operatorListen, {
      ...{ metrics, health, now: platform.now },
      console: consoleOptions(config, {
        ...{ token, live, service: parts },
        publicUrl: () => api.publicUrl,
        onFault: (error) => faults.record(error, 'console'),
      }),
    }),
  );
  starting.defer(() => operator.stop());

  const publicListen = { hostname: config.hostname, port: config.port };
  const maxConnections = Math.min(
    config.maxConnections ?? Number.POSITIVE_INFINITY,
    possibleConnections(config.databaseConnections),
  );
  const logsRequests = log.isLevelEnabled('info');
  const api = await startListener(config, '', publicListen, () =>
    startPublicServer(
      {
        ...{ pets, keys, limiter, brownouts },
        ...{ now: platform.now, newRequestId: platform.newRequestId },
        observe(call, response, seconds, addressOf) {
          metrics.observe(call, response, seconds);
          recorder.record(call, response);
          logBan(log, call);
          if (logsRequests) logRequest(log, call, response, seconds, addressOf(call.request));
        },
        onFault({ id, request, route, fault }, { status }) {
          const traceId = traceIdOf(request.headers.get('traceparent'));
          const { operation } = route;
          faults.record(fault, 'fault', { requestId: id, traceId, operation, status });
        },
      },
      (url) => new ReferencePages(url, stagingUrl),
      {
        ...{ ...publicListen, publicUrl, trustedProxies, tls, maxConnections, maxRequests },
        onConnectionsClosed(count) {
          metrics.recordConnectionsClosed(count);
          faults.record(`more than ${maxConnections} connections`, 'connections closed');
        },
        onRequestShed() {
          metrics.recordRequestShed();
          faults.record(`more than ${maxRequests} requests in progress`, 'requests shed');
        },
      },
    ),
  );
  const { requestsInFlight, connections } = api;
  metrics.watch({
    ...{ requestsInFlight, connections },
    maxConnections: () => (Number.isFinite(maxConnections) ? maxConnections : undefined),
  });
  starting.defer(async () => {
    // Readiness fails first, so that load balancers send their requests elsewhere.
    stopping = true;
    api.drain();
    await Bun.sleep(config.drainSeconds * 1000);
    api.ignoreNewConnections();
    await Bun.sleep(LAST_REQUESTS_MS);
    await api.stop(STOP_GRACE_SECONDS);
  });

  const warnings =
    redisUrl && redisError !== undefined
      ? [
          `${await whyRedisFailed(redisUrl, redisError)}. Limits are counted in process until it can be used.`,
        ]
      : [];
  const firstStep = await takeFirstStep(config, store);
  const newToken = config.operatorToken === undefined ? token : undefined;
  const report = startReport(config, { api, operator, newToken, firstStep, warnings });
  const running = starting.move();
  return { report, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
