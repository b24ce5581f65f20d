import type { Config } from '#config.ts';
import type { Backend } from '#domain/backend.ts';
import { brownoutAt } from '#domain/brownout.ts';
import { OperatorError } from '#domain/error.ts';
import { mintSecret } from '#domain/key-secret.ts';
import type { Origin } from '#domain/operator/audit.ts';
import type { SignedIn } from '#domain/operator/operators.ts';
import { PLANS } from '#domain/plan.ts';
import { formatTime } from '#domain/time-text.ts';
import { isLoopback } from '#formats/server-url.ts';
import { type ListenOptions, type PublicServer, startPublicServer } from '#http/server.ts';
import { redisAddress } from '#limiters/redis/redis-url.ts';
import { consoleRoutes } from '#operator/console-api/routes.ts';
import type { ConsoleOptions } from '#operator/console-server.ts';
import { HistoryRecorder } from '#operator/history-recorder.ts';
import { Live } from '#operator/live.ts';
import { watchLag } from '#operator/metrics.ts';
import { startOperatorServer } from '#operator/server.ts';
import { platform } from '#platform.ts';
import { ReferencePages } from '#reference/reference-pages.tsx';
import { explainStoreError } from '#stores/backends.ts';
import { withDeadline } from '#timing/deadline.ts';
import { sampled } from '#timing/sampled.ts';
import { version } from '../../package.json' with { type: 'json' };
import { readTls, startListener } from './listener.ts';
import { Reporter } from './reporter.ts';
import { openServiceParts, type ServiceParts } from './service-parts.ts';

/** The time that requests in flight may take at a stop. Service managers allow ten seconds for the whole stop. */
const STOP_GRACE_SECONDS = 8;
/** The time for the whole stop, which also saves counts and closes the store. A disk may hang forever. */
const STOP_DEADLINE_SECONDS = 9.5;
/** The metrics and the console read the readiness every second, which is too often to ask the store. */
const READY_MAX_AGE_MS = 3_000;
/**
 * A stopping service still accepts requests for at least this long. Clients that send requests all the time
 * learn within this time, from the header of a response, that they must open a new connection.
 */
const LAST_REQUESTS_MS = 500;
const TOKEN_BYTES = 24;

/** The account that the first start creates. */
export const DEMO_ACCOUNT = 'demo';

const { now, elapsed, newRequestId } = platform;

/** The parts that are open before the first listener starts. */
interface Opened {
  readonly config: Config;
  readonly database: Backend;
  readonly reporter: Reporter;
  readonly parts: ServiceParts;
  /** Shared by everything that must know that a stop has begun. */
  readonly state: { isStopping: boolean };
}

/** A service that runs until it is disposed of. */
export type Service = Awaited<ReturnType<typeof startService>>;

/**
 * Starts everything, in the order in which the parts depend on each other. A stop runs in the opposite
 * order: new requests, requests in flight, history, counts, store, and last the log.
 */
export async function startService(config: Config, database: Backend, origin: Origin) {
  const tls = readTls(config);
  await using logging = new AsyncDisposableStack();
  const reporter = logging.use(new Reporter(config));
  await using starting = new AsyncDisposableStack();
  const parts = starting.use(
    await openServiceParts(database, config, { now, elapsed, ...reporter.partHooks }),
  );
  const { store } = parts;
  const { history } = store;
  const state = { isStopping: false };
  const opened = { config, database, reporter, parts, state };
  const recorder = starting.use(new HistoryRecorder({ history, now, ...reporter.historyHooks }));
  store.accounts.finishRemovals().catch((error) => recordFailedDeletion(opened, error));
  const isReady = async () => !state.isStopping && (await store.isReady().catch(() => false));
  watchMetrics(opened, isReady);
  reporter.metrics.watch({ accountsNearLimit: recorder.accountsNearLimit });

  const builtIn = builtInOperator(config);
  const live = starting.use(new Live(reporter.metrics, now));
  const operator = await startListener(config, 'OPERATOR_', (listen) =>
    startOperatorServer(listen, {
      metrics: reporter.metrics,
      health: { isAlive: () => store.isAlive(), isReady },
      now,
      console: consoleOptions(opened, builtIn, live, () => api.publicUrl),
    }),
  );
  starting.defer(() => operator.stop());
  const api = await startApi(opened, recorder, tls);
  reporter.metrics.watch({ requestsInFlight: api.requestsInFlight });
  starting.defer(() => stopApi(api, opened));

  const first = await openFirstAccount(opened, origin);
  const running = starting.move();
  const log = logging.move();
  return {
    api,
    operator,
    /** The token of the console. */
    token: builtIn.token,
    /** The reason why Redis cannot be used, if it cannot. */
    redisError: reporter.redisError,
    ...first,
    async [Symbol.asyncDispose]() {
      const deadlineMs = (config.DRAIN_SECONDS + STOP_DEADLINE_SECONDS) * 1000;
      await using _log = log;
      // The process ends with this error, and waits no longer.
      const late = () =>
        new OperatorError('Stopped before everything in flight was finished and saved.');
      await withDeadline(deadlineMs, running.disposeAsync(), late);
    },
  };
}

function recordFailedDeletion({ reporter, state }: Opened, error: unknown): void {
  // The store closes during a stop, and the next start continues the deletion.
  if (state.isStopping) return;
  reporter.faults.record(error, 'the usage history of a removed account could not be deleted');
}

function randomText(): string {
  return Buffer.from(platform.randomBytes(TOKEN_BYTES)).toString('base64url');
}

function builtInOperator({ OPERATOR_TOKEN: token }: Config): ConsoleOptions['builtIn'] {
  return token === undefined ? { name: 'start', token: randomText() } : { name: 'token', token };
}

function newSecret({ environment }: Config): string {
  return mintSecret(platform.randomBytes, environment);
}

function watchMetrics(
  { config, database, reporter, parts: { store } }: Opened,
  isReady: () => Promise<boolean>,
): void {
  watchLag(reporter.metrics.eventLoopLag);
  reporter.metrics.watch({
    build: {
      version,
      runtime: `Bun ${Bun.version}`,
      store: database.name,
      limiter: config.REDIS_URL === undefined ? 'memory' : 'redis',
    },
    isReady: sampled(isReady, READY_MAX_AGE_MS, elapsed),
    storeBytes: store.sizeBytes,
    logBytes: store.logBytes,
    lastBackup: store.lastBackup,
    pools: store.pools,
    isBrownout: () => brownoutAt(config.BROWNOUTS, now()) !== undefined,
  });
}

function consoleOptions(
  opened: Opened,
  builtIn: ConsoleOptions['builtIn'],
  live: Live,
  publicUrl: () => string,
): ConsoleOptions {
  const { config, database, reporter, parts } = opened;
  const storeOf = ({ name }: Pick<SignedIn, 'name'>) =>
    parts.store.forOperator({ command: 'console', operator: name });
  const store = storeOf({ name: '' });
  return {
    builtIn,
    findOperator: store.operators.findOperator,
    newSession: randomText,
    allowedHosts: new Set([config.OPERATOR_HOST.toLowerCase(), ...config.OPERATOR_ALLOWED_HOSTS]),
    facts: {
      version,
      environment: config.environment,
      startedAt: formatTime(now()),
      store: database.description,
      limiter: limiterDescription(config),
      instances: config.INSTANCES,
      // The public listener starts later, and only then is a free port known.
      get publicUrl() {
        return publicUrl();
      },
    },
    routes: {
      ...live.routes,
      ...consoleRoutes(reporter.failedRequests, {
        counts: parts.limiter,
        brownouts: config.BROWNOUTS,
        now,
        newSecret: () => newSecret(config),
        onDeletionFailed: (error) => recordFailedDeletion(opened, error),
        store,
      }),
    },
    storeOf,
    explain: explainStoreError,
    onFault: (error) => reporter.faults.record(error, 'console'),
    // Signing in does not wait for the audit, because it must also work while the store is away.
    onSignIn(operator, address) {
      reporter.onSignIn(operator.name, address);
      storeOf(operator)
        .operators.recordSignIn(operator.name, address)
        .catch((error) => reporter.faults.record(error, 'a sign-in is missing in the audit'));
    },
    onSignInFailed: reporter.onSignInFailed,
  };
}

function startApi(
  { config, reporter, parts }: Opened,
  recorder: HistoryRecorder,
  tls: ListenOptions['tls'],
) {
  const { environment, STAGING_URL: stagingUrl } = config;
  return startListener(config, '', (listen) =>
    startPublicServer(
      {
        ...parts,
        brownouts: config.BROWNOUTS,
        maxRequests: config.MAX_CONCURRENT_REQUESTS,
        now,
        newRequestId,
        ...reporter.requestHooks(recorder),
      },
      (publicUrl) =>
        new ReferencePages({ publicUrl, stagingUrl, environment, programVersion: version }),
      {
        ...listen,
        publicUrl: config.PUBLIC_URL,
        trustedProxies: config.TRUSTED_PROXIES,
        tls,
      },
    ),
  );
}

async function stopApi(api: PublicServer, { config, state }: Opened): Promise<void> {
  // Readiness fails first, so that load balancers send their requests elsewhere.
  state.isStopping = true;
  api.drain();
  await Bun.sleep(config.DRAIN_SECONDS * 1000 + LAST_REQUESTS_MS);
  await api.stop(STOP_GRACE_SECONDS);
}

/** Says where requests are counted. */
export function limiterDescription({ REDIS_URL }: Config): string {
  return REDIS_URL === undefined ? 'in process' : `Redis at ${redisAddress(REDIS_URL)}`;
}

/**
 * Looks for the oldest account. If the store is empty, creates a demo account with a key, so that a new
 * user can send a request at once.
 */
async function openFirstAccount({ config, database, parts: { store } }: Opened, origin: Origin) {
  const [account] = await store.accounts.listAccounts(0, 1);
  const [pet] = await store.pets.listPets({ limit: 1 });
  // The first request could share the transaction of this read, and miss a key created since.
  store.revision.expire();
  // Only where nobody else can use the key: on a server it would end up in the log of the system.
  const isForTrying = config.DEMO === 'on' && database.name === 'sqlite' && isLoopback(config.HOST);
  // A demo account is older than all others.
  if (!isForTrying || (account ?? pet) !== undefined) return { firstAccount: account?.name };
  const demoKey = newSecret(config);
  await store.forOperator(origin).accounts.createAccount({
    name: DEMO_ACCOUNT,
    plan: 'free',
    limits: PLANS.free.limits,
    firstKey: { label: 'first start', secret: demoKey, expiresAtMs: null },
  });
  return { demoKey };
}
