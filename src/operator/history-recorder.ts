import type { ObservedRequest, ResponseParts } from '#contract/exchange.ts';
import type { KnownKey } from '#domain/api-key.ts';
import { HOUR_MS, startOfDay } from '#domain/durations.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import {
  type AddedPeriod,
  compactHistory,
  type HistoryWriter,
  MAX_PERIODS_PER_BATCH,
  NOT_COUNTED,
  REFUSAL_STATUSES,
} from '#domain/operator/history.ts';

const TICK_MS = 5_000;
const TICKS_PER_MINUTE = 12;
/** Writing more than this every 5 seconds takes over 1 % of a core, so more are written only once a minute. */
const HOURS_PER_FLUSH = 5_000;
/** About 15 MB of memory while the store is away. Beyond that, the oldest hours are dropped. */
const MAX_HOURS = 100_000;

/** An account is near its limit if less than this part of its day remains. */
const NEAR_LIMIT = 0.2;

type RecordedCall = Pick<
  ObservedRequest,
  'route' | 'nowMs' | 'key' | 'refusedKey' | 'rejection' | 'decision'
>;
type Recorded = Pick<ResponseParts, 'status' | 'error'>;

interface HistoryRecorderOptions {
  readonly history: HistoryWriter;
  readonly now: () => number;
  /** Called with the reason when counts are dropped. */
  readonly onBatchLost: (error: unknown) => void;
  /** Called once for each backlog of the compaction. */
  readonly onBacklog: () => void;
  readonly onCompactionFailed: (error: unknown) => void;
}

/**
 * Counts requests for the usage history. Counts are written every few seconds and when the service stops, but never
 * while a request waits. After a failure, a batch may be lost or written twice.
 */
export class HistoryRecorder implements AsyncDisposable {
  /** The hours that are being counted, by operation and by the id of the key. */
  readonly #hours = new Map<string, Map<number, AddedPeriod>>();
  #counting = 0;
  /** Hours that no longer change and have to be written. */
  #waiting: AddedPeriod[] = [];
  #lastError: unknown;
  #flushing: Promise<void> | undefined;
  #ticks = 0;
  #isCompacting = false;
  #hasBacklog = false;
  #isClosed = false;
  /** The day on which an account was last near its limit, by the id of the account. */
  readonly #nearLimit = new Map<number, number>();
  readonly #timer = setInterval(() => this.#tick(), TICK_MS).unref();

  constructor(private readonly options: HistoryRecorderOptions) {}

  /**
   * Only requests to the API with a valid key have a history. Of a key that is no longer valid, its last refusal is kept.
   */
  readonly record = (call: RecordedCall, { status, error }: Recorded): void => {
    const { key, refusedKey, rejection, nowMs, decision } = call;
    const sent = key ?? refusedKey;
    if (sent === undefined || !call.route.isApi) return;
    const operation = key === undefined ? NOT_COUNTED : (call.route.operation ?? 'unknown');
    const hour = this.#hourOf(sent, operation, nowMs);
    hour.lastAtMs = Math.max(hour.lastAtMs, nowMs);
    const answered = REFUSAL_STATUSES.includes(status) ? error : undefined;
    // The limit of the address does not say why the key is refused.
    const refusal = key === undefined ? rejection.error : answered;
    if (refusal === undefined) {
      hour.acceptedAtMs = Math.max(hour.acceptedAtMs ?? 0, nowMs);
    } else {
      hour.refusedAtMs = nowMs;
      hour.refusal = refusal;
    }
    if (key === undefined) return;
    if (decision !== undefined && decision.refusedBy === undefined) {
      hour.busiestMinute = Math.max(hour.busiestMinute, decision.minuteUsed);
      const day = decision.windows?.day;
      if (day && day.remaining < NEAR_LIMIT * day.limit) {
        this.#nearLimit.set(key.accountId, startOfDay(nowMs));
      } else this.#nearLimit.delete(key.accountId);
    }
    const refusedBy = decision?.refusedBy;
    if (refusedBy === 'minute') hour.refusedByMinute++;
    else if (refusedBy === 'day') hour.refusedByDay++;
    else if (refusedBy === 'ban') hour.refusedByBan++;
    else if (status < 400) hour.served++;
    else if (status < 500) hour.clientErrors++;
    else hour.serverErrors++;
  };

  /**
   * The number of accounts that have used more than 80 % of today's requests. It comes from the decisions that this
   * instance has seen, which have the counts of all instances also with Redis, and costs a comparison for each request.
   * To ask the limiter or the history about every account would cost more with each account. An account is missing
   * until this instance admits one of its requests, for example after a restart.
   */
  readonly accountsNearLimit = (): number => {
    const today = startOfDay(this.options.now());
    for (const [id, day] of this.#nearLimit) if (day !== today) this.#nearLimit.delete(id);
    return this.#nearLimit.size;
  };

  /** Resolves when everything that was counted before the call has been written or could not be written. */
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
    if (this.#waiting.length > 0) this.options.onBatchLost(this.#lastError);
  }

  #tick(): void {
    this.#ticks++;
    // A flush that still runs after 5 seconds may wait for a store that hangs.
    if (this.#flushing !== undefined) this.#dropExcess();
    const isFullMinute = this.#ticks % TICKS_PER_MINUTE === 0;
    if (isFullMinute || this.#counting <= HOURS_PER_FLUSH) this.flush();
    if (isFullMinute && !this.#isCompacting) this.#compact();
  }

  async #compact(): Promise<void> {
    const { history, now, onBacklog, onCompactionFailed } = this.options;
    this.#isCompacting = true;
    try {
      const hasBacklog = await compactHistory(history, now());
      if (hasBacklog && !this.#hasBacklog) onBacklog();
      this.#hasBacklog = hasBacklog;
    } catch (error) {
      // The next attempt follows in a minute. The requests that need the store report that it is unavailable.
      const isAway = error instanceof StoreUnavailableError;
      if (!isAway && !this.#isClosed) onCompactionFailed(error);
    }
    this.#isCompacting = false;
  }

  /** Hours end only after a successful write, so while the store is unavailable, they continue to count, which saves memory. */
  async #writeAll(): Promise<void> {
    if (await this.#writeWaiting()) {
      this.#endHours();
      await this.#writeWaiting();
    }
    this.#dropExcess();
  }

  /** Returns false if the store is away. What is left is written later. */
  async #writeWaiting(): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_PERIODS_PER_BATCH);
      try {
        await this.options.history.add(batch);
      } catch (error) {
        this.#lastError = error;
        if (error instanceof StoreUnavailableError) {
          this.#waiting.unshift(...batch);
          return false;
        }
        // The store refused this batch, and would refuse it again.
        this.options.onBatchLost(error);
      }
    }
    return true;
  }

  #endHours(): void {
    const counted = [...this.#hours.values()].flatMap((hours) => [...hours.values()]);
    this.#hours.clear();
    this.#counting = 0;
    this.#waiting = this.#waiting.concat(counted).sort((a, b) => a.startsAtMs - b.startsAtMs);
  }

  /** If the store stays away for long, the newest counts are kept. */
  #dropExcess(): void {
    if (this.#waiting.length + this.#counting <= MAX_HOURS) return;
    this.#endHours();
    this.#waiting = this.#waiting.slice(-MAX_HOURS);
    this.options.onBatchLost(this.#lastError);
  }

  #hourOf(key: KnownKey, operation: string, nowMs: number): AddedPeriod {
    const startsAtMs = nowMs - (nowMs % HOUR_MS);
    const hours = this.#hours.getOrInsertComputed(operation, () => new Map());
    const last = hours.get(key.id);
    if (last?.startsAtMs === startsAtMs) return last;
    if (last === undefined) this.#counting++;
    else this.#waiting.push(last);
    const hour: AddedPeriod = {
      accountId: key.accountId,
      startsAtMs,
      keyId: key.id,
      operation,
      // Written out, because a spread would allocate a second block of memory.
      served: 0,
      refusedByMinute: 0,
      refusedByDay: 0,
      refusedByBan: 0,
      clientErrors: 0,
      serverErrors: 0,
      busiestMinute: 0,
      lastAtMs: nowMs,
      acceptedAtMs: 0,
    };
    hours.set(key.id, hour);
    return hour;
  }
}
