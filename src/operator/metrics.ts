import type { Decision } from '../domain/rate-limit.ts';
import { metric, type Sample } from './prometheus.ts';

/** Upper bounds of the histogram buckets, in seconds. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface ObservedCall {
  readonly route: { readonly operation?: string | undefined };
  readonly decision: Decision | undefined;
}

interface OperationMetrics {
  readonly byStatus: Map<number, number>;
  /** Requests in each bucket. The last bucket has no upper bound. */
  readonly byBucket: number[];
  seconds: number;
}

/** The metrics for the operator's monitoring. */
export class Metrics {
  readonly #operations = new Map<string, OperationMetrics>();
  readonly #refusals = { minute: 0, day: 0, ban: 0 };
  #bans = 0;
  #saveFailures = 0;
  #historyBatchesLost = 0;
  #connectionsClosed = 0;
  #requestsShed = 0;
  #isRedisAway = false;
  #logBytes: (() => number) | undefined;

  /** Counts a request that took this long. */
  readonly observe = (
    { route: { operation = 'none' }, decision }: ObservedCall,
    { status }: { readonly status: number },
    seconds: number,
  ): void => {
    const metrics = this.#operations.get(operation) ?? this.#add(operation);
    metrics.byStatus.set(status, (metrics.byStatus.get(status) ?? 0) + 1);
    metrics.seconds += seconds;
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    metrics.byBucket[bucket] = (metrics.byBucket[bucket] ?? 0) + 1;
    if (decision?.refusedBy === undefined) return;
    this.#refusals[decision.refusedBy]++;
    if (decision.banBegan) this.#bans++;
  };

  recordSaveFailure(): void {
    this.#saveFailures++;
  }

  recordHistoryBatchLost(): void {
    this.#historyBatchesLost++;
  }

  recordConnectionsClosed(count: number): void {
    this.#connectionsClosed += count;
  }

  recordRequestShed(): void {
    this.#requestsShed++;
  }

  setRedisAway(isAway: boolean): void {
    this.#isRedisAway = isAway;
  }

  /** Undefined if the store has no log here. */
  watchLog(logBytes: (() => number) | undefined): void {
    this.#logBytes = logBytes;
  }

  /** In the Prometheus text format. */
  render(): string {
    const operations = [...this.#operations];
    const lines = [
      ...metric(
        'counter',
        'animal_store_requests_total',
        'Requests served, by operation and status.',
        operations.flatMap(([operation, { byStatus }]) =>
          Array.from(byStatus, ([status, value]) => ({ labels: { operation, status }, value })),
        ),
      ),
      ...metric(
        'histogram',
        'animal_store_request_duration_seconds',
        'Time from a request to its response, by operation.',
        operations.flatMap(([operation, metrics]) => histogram(operation, metrics)),
      ),
      ...metric(
        'counter',
        'animal_store_refusals_total',
        'Requests refused with 429, by reason: minute, day or ban.',
        Object.entries(this.#refusals).map(([by, value]) => ({ labels: { by }, value })),
      ),
      ...metric(
        'counter',
        'animal_store_bans_total',
        'Temporary bans of keys that kept sending after a 429.',
        [{ value: this.#bans }],
      ),
      ...metric(
        'counter',
        'animal_store_usage_save_failures_total',
        'Failed saves of the counts of the limiter.',
        [{ value: this.#saveFailures }],
      ),
      ...metric(
        'counter',
        'animal_store_history_batches_lost_total',
        'Batches of the usage history that were dropped because the store did not take them.',
        [{ value: this.#historyBatchesLost }],
      ),
      ...metric(
        'counter',
        'animal_store_connections_closed_total',
        'Connections closed because there were too many.',
        [{ value: this.#connectionsClosed }],
      ),
      ...metric(
        'counter',
        'animal_store_requests_shed_total',
        'Requests that got a 503 because too many were in progress.',
        [{ value: this.#requestsShed }],
      ),
      ...metric(
        'gauge',
        'animal_store_redis_away',
        '1 while Redis is away and each instance counts alone.',
        [{ value: this.#isRedisAway ? 1 : 0 }],
      ),
      ...metric(
        'gauge',
        'animal_store_wal_bytes',
        'Size of the write-ahead log of the data file.',
        this.#logBytes === undefined ? [] : [{ value: this.#logBytes() }],
      ),
      ...processMetrics(),
    ];
    return `${lines.join('\n')}\n`;
  }

  #add(operation: string): OperationMetrics {
    const byBucket = new Array<number>(BUCKETS.length + 1).fill(0);
    const metrics = { byStatus: new Map<number, number>(), byBucket, seconds: 0 };
    this.#operations.set(operation, metrics);
    return metrics;
  }
}

/** A Prometheus bucket counts everything below its bound. */
function histogram(operation: string, { byBucket, seconds }: OperationMetrics): Sample[] {
  let count = 0;
  const buckets = byBucket.map((inBucket, index) => {
    count += inBucket;
    const labels = { le: BUCKETS[index] ?? '+Inf', operation };
    return { suffix: '_bucket', labels, value: count };
  });
  const labels = { operation };
  return [
    ...buckets,
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: count },
  ];
}

/** Under the names that Prometheus uses for any process. */
function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    ...metric('counter', 'process_cpu_seconds_total', 'User and system CPU time.', [
      { value: (user + system) / 1e6 },
    ]),
    ...metric('gauge', 'process_resident_memory_bytes', 'Resident memory.', [{ value: rss }]),
    ...metric('gauge', 'process_heap_bytes', 'Used memory of the JavaScript heap.', [
      { value: heapUsed },
    ]),
    ...metric('gauge', 'process_start_time_seconds', 'Start time of the process, in Unix time.', [
      { value: performance.timeOrigin / 1000 },
    ]),
  ];
}
