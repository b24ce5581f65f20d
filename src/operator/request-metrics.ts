import { metric, type Sample } from './prometheus.ts';

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** What is known of the requests of one operation. */
interface Counts {
  readonly byStatus: Map<number, number>;
  /** How many fell into each bucket; the last has those beyond all bounds. */
  readonly byBucket: number[];
  seconds: number;
}

/** Counts every request by operation, status and duration. */
export class RequestMetrics {
  readonly #operations = new Map<string, Counts>();

  record(operation: string, status: number, seconds: number): void {
    const counts = this.#operations.get(operation) ?? this.#begin(operation);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.seconds += seconds;
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    counts.byBucket[bucket] = (counts.byBucket[bucket] ?? 0) + 1;
  }

  render(): string[] {
    const operations = [...this.#operations];
    return [
      ...metric(
        'counter',
        'animal_store_requests_total',
        'Requests answered, by operation and status.',
        operations.flatMap(([operation, { byStatus }]) =>
          Array.from(byStatus, ([status, value]) => ({ labels: { operation, status }, value })),
        ),
      ),
      ...metric(
        'histogram',
        'animal_store_request_duration_seconds',
        'Time from a request to its answer, by operation.',
        operations.flatMap(([operation, counts]) => histogram(operation, counts)),
      ),
    ];
  }

  #begin(operation: string): Counts {
    const byBucket = new Array<number>(BUCKETS.length + 1).fill(0);
    const counts = { byStatus: new Map<number, number>(), byBucket, seconds: 0 };
    this.#operations.set(operation, counts);
    return counts;
  }
}

/** A bucket of Prometheus counts all that are below its bound. */
function histogram(operation: string, { byBucket, seconds }: Counts): Sample[] {
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
