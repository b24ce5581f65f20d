import type { KnownKey } from '../domain/api-key.ts';
import { HOUR_MS } from '../domain/durations.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import {
  type HistoryWriter,
  MAX_PERIODS_PER_BATCH,
  noRequests,
  type PeriodOfUse,
} from '../domain/operator/usage-history.ts';
import type { Decision } from '../domain/rate-limit.ts';

const TICK_MS = 5_000;
const TICKS_PER_MINUTE = 12;
const TICKS_PER_HOUR = 60 * TICKS_PER_MINUTE;
/** More take over 1 % of the CPU time of a core, so they are written once in a minute. */
const HOURS_PER_FLUSH = 5_000;
/** While the store is away, counts may take about 30 MB. Beyond that, the oldest are dropped. */
const MAX_HOURS = 100_000;

interface RecordedCall {
  readonly route: { readonly operation?: string | undefined };
  readonly nowMs: number;
  readonly key: KnownKey | undefined;
  readonly decision: Decision | undefined;
}

interface UsageRecorderOptions {
  readonly history: HistoryWriter;
  readonly now: () => number;
  /** Called with the reason when counts are dropped. */
  readonly onBatchLost: (error: unknown) => void;
  readonly onCompactionFailed: (error: unknown) => void;
}

/**
 * Counts requests for the usage history. They are written every few seconds and on stop, never on the
 * path of a request. After a fault, a batch may be lost or written twice.
 */
export class UsageRecorder implements AsyncDisposable {
  readonly #options: UsageRecorderOptions;
  /** Hours that are still counted, by the id of their key. */
  #byKey = new Map<number, PeriodOfUse[]>();
  #counting = 0;
  /** To be written, the oldest first. */
  #waiting: PeriodOfUse[] = [];
  #lastError: unknown;
  #flushing: Promise<void> | undefined;
  #ticks = 0;
  #isClosed = false;
  readonly #timer = setInterval(() => this.#tick(), TICK_MS).unref();

  constructor(options: UsageRecorderOptions) {
    this.#options = options;
  }

  /** Only requests with a valid key have a history. */
  readonly record = (call: RecordedCall, { status }: { readonly status: number }): void => {
    const { key, nowMs, decision } = call;
    if (key === undefined) return;
    const operation = call.route.operation ?? 'unknown';
    const hours = this.#byKey.get(key.id);
    const known = hours?.find((each) => isOf(each, operation, nowMs));
    const hour = known ?? this.#addHour(key, operation, nowMs);
    if (nowMs > hour.lastAtMs) hour.lastAtMs = nowMs;
    if (decision !== undefined && decision.refusedBy === undefined) {
      hour.busiestMinute = Math.max(hour.busiestMinute, decision.minuteUsed);
    }
    const refusedBy = decision?.refusedBy;
    if (refusedBy === 'minute') hour.refusedByMinute++;
    else if (refusedBy === 'day') hour.refusedByDay++;
    else if (refusedBy === 'ban') hour.refusedByBan++;
    else if (status < 400) hour.served++;
    else if (status < 500) hour.clientErrors++;
    else hour.serverErrors++;
  };

  /** Resolves once everything counted before the call is written, or could not be. */
  async flush(): Promise<void> {
    await this.#flushing;
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await this.flush();
    if (this.#waiting.length > 0) this.#options.onBatchLost(this.#lastError);
  }

  #tick(): void {
    this.#ticks++;
    // The store may hang.
    if (this.#flushing !== undefined) this.#dropExcess();
    const isFullMinute = this.#ticks % TICKS_PER_MINUTE === 0;
    if (isFullMinute || this.#counting <= HOURS_PER_FLUSH) this.flush();
    // A minute after the start, and then every hour.
    if (this.#ticks % TICKS_PER_HOUR === TICKS_PER_MINUTE) this.#compact();
  }

  async #compact(): Promise<void> {
    const { history, now, onCompactionFailed } = this.#options;
    try {
      await history.compact(now());
    } catch (error) {
      // It is tried again in an hour, and a store that is away is reported by requests.
      const isAway = error instanceof StoreUnavailableError;
      if (!isAway && !this.#isClosed) onCompactionFailed(error);
    }
  }

  /** While the store is away, requests are counted in the same hours, which saves memory. */
  async #writeAll(): Promise<void> {
    if (await this.#writeWaiting()) {
      this.#waiting = this.#takeCounted();
      await this.#writeWaiting();
    }
    this.#dropExcess();
  }

  /** False if the store is away. The rest is written later. */
  async #writeWaiting(): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_PERIODS_PER_BATCH);
      try {
        await this.#options.history.add(batch);
      } catch (error) {
        this.#lastError = error;
        if (error instanceof StoreUnavailableError) {
          this.#waiting.unshift(...batch);
          return false;
        }
        // It would fail every time.
        this.#options.onBatchLost(error);
      }
    }
    return true;
  }

  /** The oldest first. */
  #takeCounted(): PeriodOfUse[] {
    const periods = [...this.#byKey.values()].flat();
    this.#byKey = new Map();
    this.#counting = 0;
    return periods.sort((a, b) => a.startsAtMs - b.startsAtMs);
  }

  /** While the store is away for long, the newest counts are the ones to keep. */
  #dropExcess(): void {
    if (this.#waiting.length + this.#counting <= MAX_HOURS) return;
    this.#waiting = [...this.#waiting, ...this.#takeCounted()].slice(-MAX_HOURS);
    this.#options.onBatchLost(this.#lastError);
  }

  #addHour(key: KnownKey, operation: string, nowMs: number): PeriodOfUse {
    const hour: PeriodOfUse = {
      accountId: key.accountId,
      startsAtMs: nowMs - (nowMs % HOUR_MS),
      keyId: key.id,
      operation,
      ...noRequests(),
      busiestMinute: 0,
      lastAtMs: nowMs,
    };
    const hours = this.#byKey.get(key.id);
    if (hours === undefined) this.#byKey.set(key.id, [hour]);
    else hours.push(hour);
    this.#counting++;
    return hour;
  }
}

function isOf(hour: PeriodOfUse, operation: string, nowMs: number): boolean {
  const ageMs = nowMs - hour.startsAtMs;
  return hour.operation === operation && ageMs >= 0 && ageMs < HOUR_MS;
}
