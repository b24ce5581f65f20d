import type { Sample } from '../contract/console-api.ts';
import { HOUR_SECONDS } from '../domain/durations.ts';
import { ConsoleError } from './console-error.ts';
import type { Health } from './health.ts';
import { liveSample } from './live-sample.ts';
import type { Metrics, MetricsSnapshot } from './metrics.ts';

const SAMPLE_MS = 1_000;
const KEPT_SAMPLES = HOUR_SECONDS;
const MAX_STREAMS = 20;
/** The store is asked less often than samples are taken. */
const SAMPLES_PER_CHECK = 5;
/** A reader that is this far behind is disconnected. The hour at the start is about 1 MB. */
const MAX_UNREAD_BYTES = 4 * 2 ** 20;

const ENCODER = new TextEncoder();

interface LiveOptions {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly now: () => number;
  /** Replaces `SAMPLE_MS`, in tests. */
  readonly sampleMs?: number;
}

type Stream = ReadableStreamDefaultController<Uint8Array>;

/** Takes a sample of the metrics each second, keeps an hour of them, and sends them as events. */
export class Live implements Disposable {
  readonly #options: LiveOptions;
  /** Serialized once, for every stream and for the hour. The oldest is at `#taken % KEPT_SAMPLES`. */
  readonly #samples: string[] = [];
  /** With a function that is false once the operator is not signed in any more. */
  readonly #streams = new Map<Stream, () => boolean>();
  readonly #timer: Timer;
  #before: MetricsSnapshot;
  #taken = 0;
  #isReady = true;

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
          send(stream, 'history', `[${this.hour().join(',')}]`);
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

  /** The samples that are kept, serialized, the oldest first. */
  hour(): string[] {
    const oldest = this.#taken % KEPT_SAMPLES;
    return [...this.#samples.slice(oldest), ...this.#samples.slice(0, oldest)];
  }

  sample(): void {
    const { metrics, now } = this.#options;
    if (this.#taken % SAMPLES_PER_CHECK === 0) this.#checkStore();
    const after = metrics.snapshot();
    const sample = JSON.stringify(liveSample(this.#before, after, this.#health(), now()));
    this.#before = after;
    this.#samples[this.#taken % KEPT_SAMPLES] = sample;
    this.#taken++;
    for (const [stream, isSignedIn] of this.#streams) {
      if (isSignedIn()) {
        this.#send(stream, sample);
      } else {
        this.#streams.delete(stream);
        stream.close();
      }
    }
  }

  #send(stream: Stream, sample: string): void {
    if ((stream.desiredSize ?? 0) > 0) {
      send(stream, 'sample', sample);
      return;
    }
    this.#streams.delete(stream);
    stream.error(new Error('The reader is too slow'));
  }

  #health(): Sample['store'] {
    const alive = this.#options.health.isAlive();
    return { alive, ready: alive && this.#isReady };
  }

  #checkStore(): void {
    this.#options.health.isReady().then(
      (isReady) => {
        this.#isReady = isReady;
      },
      () => {
        this.#isReady = false;
      },
    );
  }
}

function send(stream: Stream, event: string, data: string): void {
  stream.enqueue(ENCODER.encode(`event: ${event}\ndata: ${data}\n\n`));
}
