import { formatTime } from '#domain/time-text.ts';
import type { ConsoleRoutes } from './console-api/call.ts';
import { KEPT_SAMPLES, SAMPLE_SECONDS, type Sample } from './console-api/shapes.ts';
import { LATENCY_BOUNDS, type Metrics } from './metrics.ts';

/** Takes a sample of the metrics every few seconds, and keeps an hour of them. */
export class Live implements Disposable {
  /** The oldest is the first. */
  readonly #samples: Sample[] = [];
  #before: ReturnType<Metrics['snapshot']>;
  readonly #timer = setInterval(() => this.sample(), SAMPLE_SECONDS * 1000).unref();

  constructor(
    private readonly metrics: Metrics,
    private readonly now: () => number,
  ) {
    this.#before = metrics.snapshot();
  }

  readonly routes: ConsoleRoutes = {
    'GET /api/live': ({ query }) => this.samplesAfter(query.get('after')),
  };

  /** Adds a sample of the requests since the last one, and of the load at this moment. */
  sample(): void {
    const before = this.#before;
    const after = this.metrics.snapshot();
    const { byBucket, ...shown } = after;
    const latency = byBucket.map((count, bucket) => count - (before.byBucket[bucket] ?? 0));
    this.#samples.push({
      ...shown,
      at: formatTime(this.now()),
      byClass: increase(before.byClass, after.byClass),
      refused: increase(before.refused, after.refused),
      p50: percentile(latency, 0.5),
      p95: percentile(latency, 0.95),
      p99: percentile(latency, 0.99),
    });
    this.#before = after;
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
  }

  /** The samples that a page does not have yet, or all if the last one that it has is not from this hour and process. */
  samplesAfter(last: string | null): Sample[] {
    return this.#samples.slice(this.#samples.findLastIndex(({ at }) => at === last) + 1);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function increase<Counts extends Record<string, number>>(before: Counts, after: Counts): Counts {
  const counts = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]);
  return Object.fromEntries(counts);
}

/**
 * A percentile in milliseconds, interpolated within its bucket as Prometheus does. The last bucket has no upper bound,
 * so there the lower bound is returned. Without any requests the result is NaN, which JSON writes as null.
 */
function percentile(counts: readonly number[], part: number): number {
  const rank = part * counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    const lower = LATENCY_BOUNDS[bucket - 1] ?? 0;
    const upper = LATENCY_BOUNDS[bucket] ?? lower;
    if (below + count >= rank) {
      const seconds = lower + (upper - lower) * ((rank - below) / count);
      return Math.round(seconds * 1e6) / 1e3;
    }
    below += count;
  }
  return Number.NaN;
}
