import type { ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest, ResponseParts, Route } from '#contract/exchange.ts';
import type { LastBackup, PoolLoad } from '#domain/backend.ts';
import { counter, gauge, Histogram, histogram } from './prometheus.ts';

/** Upper bounds of the buckets of response times, in seconds. */
export const LATENCY_BOUNDS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5,
];

/** Timers have a precision of about a millisecond, so smaller buckets would say nothing about their lag. */
const LAG_BOUNDS = LATENCY_BOUNDS.filter((seconds) => seconds >= 0.001);
const COMMIT_BOUNDS = Array.from({ length: 11 }, (_, power) => 2 ** power);

class OperationMetrics {
  readonly byStatus = new Map<number, number>();
  readonly latency = new Histogram(LATENCY_BOUNDS);
}

/** Values that other parts of the service know. They are read when somebody asks for the metrics. */
interface MetricSources {
  readonly build: Readonly<Record<'version' | 'runtime' | 'store' | 'limiter', string>>;
  /** Undefined until the first check. */
  readonly isReady: () => boolean | undefined;
  readonly requestsInFlight: () => number;
  readonly isBrownout: () => boolean;
  readonly storeBytes: () => number | undefined;
  /** The size of the log of the store. */
  readonly logBytes: (() => number) | undefined;
  readonly accountsNearLimit: () => number;
  readonly lastBackup: (() => LastBackup | undefined) | undefined;
  /** The connections to the server of the store. */
  readonly pools: (() => readonly PoolLoad[]) | undefined;
}

/** The metrics for the operator's monitoring. */
export class Metrics {
  readonly #operations = new Map<string, OperationMetrics>();
  readonly #refusals = { minute: 0, day: 0, ban: 0 };
  #bans = 0;
  readonly creationsPerCommit = new Histogram(COMMIT_BOUNDS);
  readonly redisRoundTrips = new Histogram(LATENCY_BOUNDS);
  readonly eventLoopLag = new Histogram(LAG_BOUNDS);
  saveFailures = 0;
  historyBatchesLost = 0;
  signInFailures = 0;
  requestsShed = 0;
  logLinesDropped = 0;
  isRedisAway = false;
  #sources: Partial<MetricSources> = {};

  /** Counts a request that took this long. */
  readonly observe = (
    { route, decision }: Pick<ObservedRequest, 'route' | 'decision'>,
    { status, error }: Pick<ResponseParts, 'status' | 'error'>,
    seconds: number,
  ): void => {
    const operation = operationOf(route, error);
    const metrics = this.#operations.getOrInsertComputed(operation, () => new OperationMetrics());
    metrics.byStatus.set(status, (metrics.byStatus.get(status) ?? 0) + 1);
    metrics.latency.observe(seconds);
    if (decision?.refusedBy === undefined) return;
    this.#refusals[decision.refusedBy]++;
    if (decision.banBegan) this.#bans++;
  };

  /** Adds sources. Each becomes known when its part of the service has started. */
  watch(sources: Partial<MetricSources>): void {
    this.#sources = { ...this.#sources, ...sources };
  }

  /**
   * Counts since the start, over all operations, and the load at this moment. Rates are computed from the difference of
   * two snapshots. Taking one every second costs next to nothing.
   */
  snapshot() {
    const byClass = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
    // Requests in each bucket of `LATENCY_BOUNDS`. The last bucket has no upper bound.
    const byBucket = new Histogram(LATENCY_BOUNDS).counts;
    for (const { byStatus, latency } of this.#operations.values()) {
      for (const [status, count] of byStatus) {
        byClass[`${Math.floor(status / 100)}xx` as keyof typeof byClass] += count;
      }
      for (const [bucket, count] of latency.counts.entries()) {
        byBucket[bucket] = (byBucket[bucket] ?? 0) + count;
      }
    }
    return {
      byClass,
      refused: { ...this.#refusals },
      byBucket,
      inFlight: this.#sources.requestsInFlight?.() ?? 0,
      isReady: this.#sources.isReady?.(),
      redisAway: this.isRedisAway,
      lastBackup: this.#sources.lastBackup?.(),
    };
  }

  /** In the Prometheus text format. Never waits for a measurement. */
  render(): string {
    const {
      build,
      isReady,
      requestsInFlight,
      isBrownout,
      accountsNearLimit,
      storeBytes,
      logBytes,
      lastBackup,
      pools,
    } = this.#sources;
    const operations = [...this.#operations];
    const backup = lastBackup?.();
    const loads = pools?.() ?? [];
    const byPool = (count: 'inUse' | 'waiting') =>
      loads.map((load) => ({ labels: { pool: load.pool }, value: load[count] }));
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return [
      gauge(
        'animal_store_build_info',
        'Always 1. The labels say what runs.',
        build && [{ labels: build, value: 1 }],
      ),
      gauge('animal_store_ready', '1 if the last readiness check succeeded.', isReady?.()),
      counter(
        'animal_store_requests_total',
        'Requests served, by operation and status.',
        operations.flatMap(([operation, { byStatus }]) =>
          Array.from(byStatus, ([status, value]) => ({ labels: { operation, status }, value })),
        ),
      ),
      histogram(
        'animal_store_request_duration_seconds',
        'Time from a request to its response, by operation.',
        operations.flatMap(([operation, { latency }]) => latency.samples({ operation })),
      ),
      gauge(
        'animal_store_requests_in_flight',
        'API requests in progress, without those whose body is still arriving.',
        requestsInFlight?.(),
      ),
      counter(
        'animal_store_requests_shed_total',
        'Requests that got a 503 because too many were in progress.',
        this.requestsShed,
      ),
      counter(
        'animal_store_refusals_total',
        'Requests refused with 429, by reason: minute, day or ban.',
        Object.entries(this.#refusals).map(([by, value]) => ({ labels: { by }, value })),
      ),
      counter(
        'animal_store_bans_total',
        'Temporary bans of keys that kept sending after a 429.',
        this.#bans,
      ),
      gauge(
        'animal_store_accounts_near_day_limit',
        'Accounts that have used more than 80 % of their requests of today.',
        accountsNearLimit?.(),
      ),
      gauge('animal_store_brownout', '1 during a brownout of getPet.', isBrownout?.()),
      histogram(
        'animal_store_creations_per_commit',
        'Pets that were created in one commit.',
        this.creationsPerCommit.samples(),
      ),
      gauge(
        'animal_store_store_bytes',
        'Size of the data file and the usage file without their logs, or of the PostgreSQL database.',
        storeBytes?.(),
      ),
      gauge(
        'animal_store_wal_bytes',
        'Size of the write-ahead log of the data file.',
        logBytes?.(),
      ),
      gauge(
        'animal_store_last_backup_timestamp_seconds',
        'Time of the last backup made by "store backup" in Unix seconds, or 0 without one.',
        backup && backup.atMs / 1000,
      ),
      gauge('animal_store_last_backup_bytes', 'Size of the last backup.', backup?.bytes),
      counter(
        'animal_store_usage_save_failures_total',
        'Failed attempts to save the counts of the limiter.',
        this.saveFailures,
      ),
      counter(
        'animal_store_history_batches_lost_total',
        'Batches of the usage history that were dropped because they could not be written.',
        this.historyBatchesLost,
      ),
      counter(
        'animal_store_operator_sign_in_failures_total',
        'Requests to the console with a wrong token.',
        this.signInFailures,
      ),
      gauge(
        'animal_store_database_connections_in_use',
        'Connections to PostgreSQL that run a query, by pool.',
        byPool('inUse'),
      ),
      gauge(
        'animal_store_database_queries_waiting',
        'Queries that wait for a connection, by pool.',
        byPool('waiting'),
      ),
      gauge(
        'animal_store_redis_away',
        '1 while Redis is away and each instance counts alone.',
        this.isRedisAway,
      ),
      histogram(
        'animal_store_redis_round_trip_seconds',
        'Time from a command to the response of Redis.',
        build?.limiter === 'redis' ? this.redisRoundTrips.samples() : [],
      ),
      histogram(
        'animal_store_event_loop_lag_seconds',
        'How late a timer ran that is due every 100 milliseconds.',
        this.eventLoopLag.samples(),
      ),
      counter(
        'animal_store_log_lines_dropped_total',
        'Log lines that could not be written.',
        this.logLinesDropped,
      ),
      // The others have the names that Prometheus uses for any process.
      counter('process_cpu_seconds_total', 'User and system CPU time.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      gauge('process_heap_bytes', 'Memory used by the JavaScript heap.', heapUsed),
      gauge(
        'process_start_time_seconds',
        'Start time of the process, in Unix seconds.',
        performance.timeOrigin / 1000,
      ),
    ].join('');
  }
}

/**
 * The name of a request in metrics and logs. They never show its path, because a caller can write anything
 * into a path.
 */
export function operationOf({ operation, isApi }: Route, error?: ErrorCode): string {
  if (error !== undefined) return operation ?? 'unknown';
  return operation ?? (isApi ? 'preflight' : 'page');
}

const LAG_SAMPLE_MS = 100;

/**
 * Measures how late a timer runs, which is how long a request waits before the service reads it. It is a
 * histogram, because a maximum would have to be reset after each reading, and there may be several readers.
 */
export function watchLag(lag: Histogram): void {
  const dueAtMs = performance.now() + LAG_SAMPLE_MS;
  setTimeout(() => {
    lag.observe(Math.max(0, performance.now() - dueAtMs) / 1000);
    watchLag(lag);
  }, LAG_SAMPLE_MS).unref();
}
