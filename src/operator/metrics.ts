import type { Call, ResponseParts, Route } from '../contract/call.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { PoolLoad } from '../domain/backend.ts';
import { counter, gauge, Histogram, metric } from './prometheus.ts';

/** Upper bounds of the buckets of response times, in seconds. */
export const LATENCY_BOUNDS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5,
];

const LAG_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const COMMIT_BOUNDS = Array.from({ length: 11 }, (_, power) => 2 ** power);

interface OperationMetrics {
  readonly byStatus: Map<number, number>;
  readonly latency: Histogram;
}

/** Values that other parts keep. They are read when somebody asks for the metrics. */
interface MetricSources {
  readonly build: Readonly<Record<'version' | 'runtime' | 'store' | 'limiter', string>>;
  /** Undefined while it is not known. */
  readonly isReady: () => boolean | undefined;
  readonly requestsInFlight: () => number;
  readonly isBrownout: () => boolean;
  readonly storeBytes: () => number | undefined;
  /** The size of the log of the store. */
  readonly logBytes: (() => number) | undefined;
  /** The connections to the server of the store. */
  readonly pools: (() => readonly PoolLoad[]) | undefined;
}

/** Counts since the start, over all operations, and the load at this moment. */
export interface MetricsSnapshot {
  readonly byStatus: ReadonlyMap<number, number>;
  readonly refusals: Readonly<Record<'minute' | 'day' | 'ban', number>>;
  /** Requests in each bucket of `LATENCY_BOUNDS`. The last bucket has no upper bound. */
  readonly byBucket: readonly number[];
  readonly inFlight: number;
  readonly isReady: boolean | undefined;
  readonly isRedisAway: boolean;
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
  requestsShed = 0;
  logLinesDropped = 0;
  isRedisAway = false;
  #sources: Partial<MetricSources> = {};

  /** Counts a request that took this long. */
  readonly observe = (
    { route, decision }: Pick<Call, 'route' | 'decision'>,
    { status, error }: Pick<ResponseParts, 'status' | 'error'>,
    seconds: number,
  ): void => {
    const operation = operationOf(route, error);
    const metrics = this.#operations.get(operation) ?? this.#add(operation);
    metrics.byStatus.set(status, (metrics.byStatus.get(status) ?? 0) + 1);
    metrics.latency.observe(seconds);
    if (decision?.refusedBy === undefined) return;
    this.#refusals[decision.refusedBy]++;
    if (decision.banBegan) this.#bans++;
  };

  /** Adds sources. They are known only after the parts have started, one after the other. */
  watch(sources: Partial<MetricSources>): void {
    this.#sources = { ...this.#sources, ...sources };
  }

  /** Cheap enough to take every second, and to compute rates from the differences. */
  snapshot(): MetricsSnapshot {
    const byStatus = new Map<number, number>();
    const byBucket = new Histogram(LATENCY_BOUNDS).counts;
    for (const operation of this.#operations.values()) {
      for (const [status, count] of operation.byStatus) {
        byStatus.set(status, (byStatus.get(status) ?? 0) + count);
      }
      for (const [bucket, count] of operation.latency.counts.entries()) {
        byBucket[bucket] = (byBucket[bucket] ?? 0) + count;
      }
    }
    return {
      byStatus,
      refusals: { ...this.#refusals },
      byBucket,
      inFlight: this.#sources.requestsInFlight?.() ?? 0,
      isReady: this.#sources.isReady?.(),
      isRedisAway: this.isRedisAway,
    };
  }

  /** In the Prometheus text format. Never waits for a measurement. */
  render(): string {
    const { build, isReady, requestsInFlight, isBrownout } = this.#sources;
    const { storeBytes, logBytes, pools } = this.#sources;
    const operations = [...this.#operations];
    const ofPools = (name: string, help: string, value: (load: PoolLoad) => number): string => {
      const loads = pools?.() ?? [];
      const samples = loads.map((load) => ({ labels: { pool: load.pool }, value: value(load) }));
      return metric('gauge', name, help, samples);
    };
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return [
      metric(
        'gauge',
        'animal_store_build_info',
        'Always 1. The labels say what runs.',
        build === undefined ? [] : [{ labels: build, value: 1 }],
      ),
      gauge('animal_store_ready', '1 if the last check of readiness succeeded.', isReady?.()),

      metric(
        'counter',
        'animal_store_requests_total',
        'Requests served, by operation and status.',
        operations.flatMap(([operation, { byStatus }]) =>
          Array.from(byStatus, ([status, value]) => ({ labels: { operation, status }, value })),
        ),
      ),
      metric(
        'histogram',
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
      metric(
        'counter',
        'animal_store_refusals_total',
        'Requests refused with 429, by reason: minute, day or ban.',
        Object.entries(this.#refusals).map(([by, value]) => ({ labels: { by }, value })),
      ),
      counter(
        'animal_store_bans_total',
        'Temporary bans of keys that kept sending after a 429.',
        this.#bans,
      ),
      gauge('animal_store_brownout', '1 during a brownout of getPet.', isBrownout?.()),

      metric(
        'histogram',
        'animal_store_creations_per_commit',
        'Creations of pets that shared a commit.',
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
      counter(
        'animal_store_usage_save_failures_total',
        'Failed saves of the counts of the limiter.',
        this.saveFailures,
      ),
      counter(
        'animal_store_history_batches_lost_total',
        'Batches of the usage history that were dropped because the store did not take them.',
        this.historyBatchesLost,
      ),
      ofPools(
        'animal_store_database_connections_in_use',
        'Connections to PostgreSQL with a query, by pool.',
        ({ inUse }) => inUse,
      ),
      ofPools(
        'animal_store_database_queries_waiting',
        'Queries for which no connection of their pool is free.',
        ({ waiting }) => waiting,
      ),

      gauge(
        'animal_store_redis_away',
        '1 while Redis is away and each instance counts alone.',
        this.isRedisAway,
      ),
      metric(
        'histogram',
        'animal_store_redis_round_trip_seconds',
        'Time from a command to the response of Redis.',
        build?.limiter === 'redis' ? this.redisRoundTrips.samples() : [],
      ),

      metric(
        'histogram',
        'animal_store_event_loop_lag_seconds',
        'How late a timer ran that is due every 100 milliseconds.',
        this.eventLoopLag.samples(),
      ),
      counter(
        'animal_store_log_lines_dropped_total',
        'Log lines that could not be written.',
        this.logLinesDropped,
      ),
      // The rest has the names that Prometheus uses for any process.
      counter('process_cpu_seconds_total', 'User and system CPU time.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      gauge('process_heap_bytes', 'Used memory of the JavaScript heap.', heapUsed),
      gauge(
        'process_start_time_seconds',
        'Start of the process, in Unix time.',
        performance.timeOrigin / 1000,
      ),
    ].join('');
  }

  #add(operation: string): OperationMetrics {
    const metrics = { byStatus: new Map<number, number>(), latency: new Histogram(LATENCY_BOUNDS) };
    this.#operations.set(operation, metrics);
    return metrics;
  }
}

/** What a request asked for, in metrics and logs. Neither has a path: callers can write anything. */
export function operationOf({ operation, isApi }: Route, error?: ErrorCode): string {
  if (error !== undefined) return operation ?? 'unknown';
  return operation ?? (isApi ? 'preflight' : 'page');
}

const LAG_SAMPLE_MS = 100;

/**
 * Measures how late a timer is, which is how long a request waits before the service reads it. A
 * histogram of it is right for any number of readers; a maximum would have to be reset by one of them.
 */
export function watchLag(lag: Histogram): void {
  const dueAtMs = performance.now() + LAG_SAMPLE_MS;
  setTimeout(() => {
    lag.observe(Math.max(0, performance.now() - dueAtMs) / 1000);
    watchLag(lag);
  }, LAG_SAMPLE_MS).unref();
}
