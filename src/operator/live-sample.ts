import type { Sample } from '../contract/console-api.ts';
import { formatTime } from '../domain/time-text.ts';
import { LATENCY_BOUNDS, type MetricsSnapshot } from './metrics.ts';
import { percentile } from './percentile.ts';

/** What happened between two snapshots, and the load at the second one. */
export function liveSample(
  before: MetricsSnapshot,
  after: MetricsSnapshot,
  store: Sample['store'],
  nowMs: number,
): Sample {
  const latency = after.byBucket.map((count, bucket) => count - (before.byBucket[bucket] ?? 0));
  const milliseconds = (part: number): number | null => {
    const seconds = percentile(LATENCY_BOUNDS, latency, part);
    return seconds === undefined ? null : Math.round(seconds * 1e6) / 1e3;
  };
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
    store,
    redisAway: after.isRedisAway,
  };
}
