// A running service: opens the parts, starts both listeners, logs, and stops in order. `serve` calls it.
// It is the one place that sees every room but the command's, and it decides nothing about a request.

import { version } from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { Backend } from '../domain/backend.ts';
import { brownoutAt } from '../domain/brownout.ts';
import { OperatorError } from '../domain/error.ts';
import { mintSecret } from '../domain/key-secret.ts';
import type { Origin } from '../domain/operator/audit.ts';
import { PLANS } from '../domain/plan.ts';
import { formatTime } from '../domain/time-text.ts';
import { startPublicServer } from '../http/server.ts';
import { consoleRoutes } from '../operator/console-api/routes.ts';
import { HistoryRecorder } from '../operator/history-recorder.ts';
import { Live } from '../operator/live.ts';
import { watchLag } from '../operator/metrics.ts';
import { startOperatorServer } from '../operator/server.ts';
import { operatorToken } from '../operator/sign-in.ts';
import { platform } from '../platform.ts';
import { ReferencePages } from '../reference/reference-pages.tsx';
import { explainStoreError } from '../stores/backends.ts';
import { sampled } from '../timing/sampled.ts';
import { readTls, startListener } from './listener.ts';
import { createReporter } from './reporter.ts';
import { openServiceParts } from './service-parts.ts';
import {
  DEMO_ACCOUNT,
  isLoopback,
  limiterDescription,
  type StartReport,
  startReport,
} from './start-report.ts';

/** Service managers allow ten seconds for a stop. */
const STOP_GRACE_SECONDS = 8;
/** Beyond it, to save counts and close the store. A disk that hangs must not hold up the exit. */
const STOP_DEADLINE_SECONDS = 9.5;
/** For the metrics and the console, which read it every second. */
const READY_MAX_AGE_MS = 3_000;
/** Clients that send requests all the time learn within it that they must reconnect. */
const LAST_REQUESTS_MS = 500;
const TOKEN_BYTES = 24;

/** Starts everything. It stops in this order: new requests, those in flight, history, counts, store. */
export async function startService(
  config: Config,
  database: Backend,
  origin: Origin,
): Promise<AsyncDisposable & { readonly report: StartReport }> {
  const { environment, OPERATOR_HOST, REDIS_URL, BROWNOUTS: brownouts } = config;
  const { now, elapsed, newRequestId } = platform;
  const newSecret = () => mintSecret(platform.randomBytes, environment);
  const tls = readTls(config);
  await using logging = new AsyncDisposableStack();
  const reporter = logging.use(createReporter(config));
  await using starting = new AsyncDisposableStack();
  const { metrics, faults } = reporter;
  const parts = starting.use(
    await openServiceParts(database, config, { now, elapsed, ...reporter.partHooks }),
  );
  const { store, limiter } = parts;
  const recorder = starting.use(
    new HistoryRecorder({ history: store.history, now, ...reporter.historyHooks }),
  );

  let stopping = false;
  const health = {
    isAlive: () => store.isAlive(),
    isReady: async () => !stopping && (await store.isReady().catch(() => false)),
  };
  const onDeletionFailed = (error: unknown) => {
    const message = 'the usage history of a removed account could not be deleted';
    if (!stopping) faults.record(error, message);
  };
  store.accounts.finishRemovals().catch(onDeletionFailed);
  watchLag(metrics.eventLoopLag);
  metrics.watch({
    build: {
      version,
      runtime: `Bun ${Bun.version}`,
      store: database.name,
      limiter: REDIS_URL === undefined ? 'memory' : 'redis',
    },
    isReady: sampled(health.isReady, READY_MAX_AGE_MS, elapsed),
    storeBytes: store.sizeBytes,
    logBytes: store.logBytes,
    pools: store.pools,
    isBrownout: () => brownoutAt(brownouts, now()) !== undefined,
  });

  const live = starting.use(new Live(metrics, now));
  const randomText = () => Buffer.from(platform.randomBytes(TOKEN_BYTES)).toString('base64url');
  const newToken = randomText();
  const token = operatorToken(config.OPERATOR_TOKEN ?? newToken);
  const operator = await startListener(config, 'OPERATOR_', (listen) =>
    startOperatorServer(listen, {
      metrics,
      health,
      now,
      console: {
        token,
        newSession: randomText,
        allowedHosts: new Set([OPERATOR_HOST.toLowerCase(), ...config.OPERATOR_ALLOWED_HOSTS]),
        facts: {
          version,
          environment,
          startedAt: formatTime(now()),
          store: database.description,
          limiter: limiterDescription(config),
          instances: config.INSTANCES,
          // It starts later.
          get publicUrl() {
            return api.publicUrl;
          },
        },
        routes: consoleRoutes(live, reporter.failedRequests, {
          counts: limiter,
          brownouts,
          now,
          newSecret,
          onDeletionFailed,
          store: store.forOperator({ command: 'console', operator: token.fingerprint }),
        }),
        explain: explainStoreError,
        onFault: (error, message = 'console') => faults.record(error, message),
        onSignIn: reporter.onSignIn,
      },
    }),
  );
  starting.defer(() => operator.stop());

  const api = await startListener(config, '', (listen) =>
    startPublicServer(
      {
        ...parts,
        brownouts,
        now,
        newRequestId,
        ...reporter.requestHooks(recorder),
      },
      (publicUrl) =>
        new ReferencePages({
          publicUrl,
          stagingUrl: config.STAGING_URL,
          environment,
          programVersion: version,
        }),
      {
        ...listen,
        publicUrl: config.PUBLIC_URL,
        trustedProxies: config.TRUSTED_PROXIES,
        tls,
        maxRequests: config.MAX_CONCURRENT_REQUESTS,
        onRequestShed: reporter.onRequestShed,
      },
    ),
  );
  metrics.watch({ requestsInFlight: api.requestsInFlight });
  starting.defer(async () => {
    // Readiness fails first, so that load balancers send their requests elsewhere.
    stopping = true;
    api.drain();
    await Bun.sleep(config.DRAIN_SECONDS * 1000 + LAST_REQUESTS_MS);
    await api.stop(STOP_GRACE_SECONDS);
  });

  const [firstAccount] = await store.accounts.listAccounts(0, 1);
  const [firstPet] = await store.pets.listPets({ limit: 1 });
  // The first request could share the transaction of this read, and miss a key created since.
  store.revision.expire();
  // Runs on this machine, and only this machine can reach it.
  const isForTrying = config.DEMO === 'on' && database.name === 'sqlite' && isLoopback(config.HOST);
  // On other machines its key would end up in a journal, or would be forgotten.
  const demoKey = isForTrying && (firstAccount ?? firstPet) === undefined ? newSecret() : undefined;
  if (demoKey !== undefined) {
    await store.forOperator(origin).accounts.createAccount({
      name: DEMO_ACCOUNT,
      plan: 'free',
      limits: PLANS.free.limits,
      nowMs: now(),
      firstKey: { label: 'first start', secret: demoKey, expiresAtMs: null },
    });
  }
  const report = startReport(config, {
    database,
    api,
    operator,
    newToken: config.OPERATOR_TOKEN === undefined ? newToken : undefined,
    demoKey,
    firstAccount: firstAccount?.name,
    redisError: reporter.redisError(),
  });
  const running = starting.move();
  const log = logging.move();
  return {
    report,
    async [Symbol.asyncDispose]() {
      const deadlineMs = (config.DRAIN_SECONDS + STOP_DEADLINE_SECONDS) * 1000;
      await using _log = log;
      await Promise.race([running.disposeAsync(), failAfter(deadlineMs)]);
    },
  };
}

/** The process ends with it. */
async function failAfter(milliseconds: number): Promise<never> {
  await Bun.sleep(milliseconds);
  throw new OperatorError('Stopped before everything in flight was finished and saved.');
}
