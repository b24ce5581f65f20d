import type { Sample } from '../contract/console-api.ts';
import { HOUR_SECONDS } from '../domain/durations.ts';
import { formatTime } from '../domain/time-text.ts';
import { ConsoleError, type ConsoleRoutes, OPERATOR_HEADERS } from './console-api/call.ts';
import { LATENCY_BOUNDS, type Metrics, type MetricsSnapshot } from './metrics.ts';

const SAMPLE_MS = 1_000;
const KEPT_SAMPLES = HOUR_SECONDS;
const MAX_STREAMS = 20;
/** A reader that is this far behind is disconnected. The hour at the start is about 1 MB. */
const MAX_UNREAD_BYTES = 4 * 2 ** 20;

const STREAM_HEADERS = {
  ...OPERATOR_HEADERS,
  'Content-Type': 'text/event-stream',
  // nginx would collect events before it sends them.
  'X-Accel-Buffering': 'no',
};

const ENCODER = new TextEncoder();

interface LiveOptions {
  readonly metrics: Metrics;
  readonly now: () => number;
  /** Replaces `SAMPLE_MS`, in tests. */
  readonly sampleMs?: number;
}

type Stream = ReadableStreamDefaultController<Uint8Array>;

/** Takes a sample of the metrics each second, keeps an hour of them, and sends them as events. */
export class Live implements Disposable {
  readonly #options: LiveOptions;
  /** Serialized once, for every stream and for the hour. The oldest is the first. */
  readonly #samples: string[] = [];
  /** With a function that is false once the operator is not signed in any more. */
  readonly #streams = new Map<Stream, () => boolean>();
  readonly #timer: Timer;
  #before: MetricsSnapshot;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#before = options.metrics.snapshot();
    this.#timer = setInterval(() => this.sample(), options.sampleMs ?? SAMPLE_MS);
    this.#timer.unref();
  }

  /**
   * An hour of samples, and then each new one while the operator is signed in. Throws `ConsoleError`
   * above the limit of streams.
   */
  open(isSignedIn: () => boolean): ReadableStream<Uint8Array> {
    if (this.#streams.size >= MAX_STREAMS) {
      throw new ConsoleError(503, `More than ${MAX_STREAMS} live views are open. Close one.`);
    }
    let stream: Stream;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          stream = controller;
          this.#streams.set(stream, isSignedIn);
          send(stream, 'history', `[${this.#samples.join(',')}]`);
        },
        cancel: () => {
          this.#streams.delete(stream);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#streams.clear();
  }

  sample(): void {
    const { metrics, now } = this.#options;
    const after = metrics.snapshot();
    const sample = JSON.stringify(liveSample(this.#before, after, now()));
    this.#before = after;
    this.#samples.push(sample);
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
    for (const [stream, isSignedIn] of this.#streams) {
      if (!isSignedIn()) {
        this.#streams.delete(stream);
        stream.close();
      } else if ((stream.desiredSize ?? 0) <= 0) {
        this.#streams.delete(stream);
        stream.error(new Error('The reader is too slow'));
      } else {
        send(stream, 'sample', sample);
      }
    }
  }
}

function send(stream: Stream, event: string, data: string): void {
  stream.enqueue(ENCODER.encode(`event: ${event}\ndata: ${data}\n\n`));
}

export function liveRoutes(live: Live): ConsoleRoutes {
  return {
    '/api/live': {
      GET: ({ isSignedIn }) => new Response(live.open(isSignedIn), { headers: STREAM_HEADERS }),
    },
  };
}

/** What happened between two snapshots, and the load at the second one. */
function liveSample(before: MetricsSnapshot, after: MetricsSnapshot, nowMs: number): Sample {
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
    isReady: after.isReady,
    redisAway: after.isRedisAway,
  };
}

/**
 * A percentile in the unit of the bounds, interpolated in its bucket, as Prometheus does.
 * Undefined without a value. In the last bucket, which has no upper bound, it is the lower one.
 */
export function percentile(
  bounds: readonly number[],
  counts: readonly number[],
  part: number,
): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = part * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    const lower = bounds[bucket - 1] ?? 0;
    const upper = bounds[bucket] ?? lower;
    if (count > 0 && below + count >= rank) {
      return lower + (upper - lower) * Math.max(0, (rank - below) / count);
    }
    below += count;
  }
  return bounds.at(-1);
}
