import { HOUR_SECONDS } from '#domain/durations.ts';
import { formatTime } from '#domain/time-text.ts';
import { wholeNumber } from '#formats/int64.ts';
import type { ConsoleRoutes } from './console-api/call.ts';
import { SAMPLE_SECONDS, type Sample } from './console-api/shapes.ts';
import { LATENCY_BOUNDS, type Metrics } from './metrics.ts';

const KEPT_SAMPLES = HOUR_SECONDS / SAMPLE_SECONDS;

/** Takes a sample of the metrics every few seconds, and keeps an hour of them. */
export class Live implements Disposable {
  /** The oldest is the first. */
  readonly #samples: Sample[] = [];
  #taken = 0;
  readonly #timer = setInterval(() => this.sample(), SAMPLE_SECONDS * 1000).unref();

  constructor(
    private readonly metrics: Metrics,
    private readonly now: () => number,
  ) {}

  readonly routes: ConsoleRoutes = {
    '/api/live': { GET: ({ read }) => this.samplesAfter(read('after', wholeNumber) ?? 0) },
  };

  /** Adds a sample of the requests since the last one, and of the load at this moment. */
  sample(): void {
    const { latency, ...shown } = this.metrics.takeSample();
    this.#taken++;
    this.#samples.push({
      ...shown,
      number: this.#taken,
      at: formatTime(this.now()),
      p50: percentile(latency.counts, 0.5),
      p95: percentile(latency.counts, 0.95),
      p99: percentile(latency.counts, 0.99),
    });
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
  }

  /** The samples that a page does not have yet. A number from before a restart gets all of them. */
  samplesAfter(number: number): Sample[] {
    const missing = number > this.#taken ? this.#samples.length : this.#taken - number;
    return missing === 0 ? [] : this.#samples.slice(-missing);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
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
