import { HOUR_SECONDS } from '../domain/durations.ts';
import { wholeNumber } from '../domain/int64.ts';
import { formatTime } from '../domain/time-text.ts';
import type { ConsoleRoutes } from './console-api/call.ts';
import { SAMPLE_SECONDS, type Sample } from './console-api/shapes.ts';
import { LATENCY_BOUNDS, type Metrics, type MetricsSnapshot } from './metrics.ts';

const KEPT_SAMPLES = HOUR_SECONDS / SAMPLE_SECONDS;

export type Live = ReturnType<typeof startLive>;

/** Takes a sample of the metrics every few seconds, and keeps an hour of them. */
export function startLive(metrics: Metrics, now: () => number) {
  /** The oldest is the first. */
  const samples: Sample[] = [];
  let before = metrics.snapshot();
  let taken = 0;

  function sample(): void {
    const after = metrics.snapshot();
    taken++;
    samples.push({ number: taken, ...liveSample(before, after, now()) });
    before = after;
    if (samples.length > KEPT_SAMPLES) samples.shift();
  }

  /** The samples that a page does not have yet. A number from before a restart gets all of them. */
  function samplesAfter(number: number): Sample[] {
    const missing = number > taken ? samples.length : taken - number;
    return missing === 0 ? [] : samples.slice(-missing);
  }

  const timer = setInterval(sample, SAMPLE_SECONDS * 1000).unref();
  const routes: ConsoleRoutes = {
    '/api/live': { GET: ({ read }) => samplesAfter(read('after', wholeNumber) ?? 0) },
  };
  return { sample, samplesAfter, routes, [Symbol.dispose]: () => clearInterval(timer) };
}

/** The requests between two snapshots, and the load at the second one. */
function liveSample(
  before: MetricsSnapshot,
  after: MetricsSnapshot,
  nowMs: number,
): Omit<Sample, 'number'> {
  const latency = after.byBucket.map((count, bucket) => count - (before.byBucket[bucket] ?? 0));
  const milliseconds = (part: number) =>
    Math.round(percentile(LATENCY_BOUNDS, latency, part) * 1e6) / 1e3;
  const byClass = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
  for (const [status, count] of after.byStatus) {
    const name = `${Math.floor(status / 100)}xx` as keyof typeof byClass;
    byClass[name] += count - (before.byStatus.get(status) ?? 0);
  }
  const { minute, day, ban } = after.refusals;
  return {
    at: formatTime(nowMs),
    byClass,
    refused: {
      minute: minute - before.refusals.minute,
      day: day - before.refusals.day,
      ban: ban - before.refusals.ban,
    },
    p50: milliseconds(0.5),
    p95: milliseconds(0.95),
    p99: milliseconds(0.99),
    inFlight: after.inFlight,
    isReady: after.isReady,
    redisAway: after.isRedisAway,
  };
}

/**
 * A percentile in the unit of the bounds, interpolated in its bucket, as Prometheus does. In the last
 * bucket, which has no upper bound, it is the lower one. NaN without a value, which is null in JSON.
 */
function percentile(bounds: readonly number[], counts: readonly number[], part: number): number {
  const rank = part * counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    const lower = bounds[bucket - 1] ?? 0;
    const upper = bounds[bucket] ?? lower;
    if (below + count >= rank) return lower + (upper - lower) * ((rank - below) / count);
    below += count;
  }
  return Number.NaN;
}
