import type { KnownKey } from '../domain/api-key.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import {
  type HistoryWriter,
  type HourOfUse,
  MAX_HOURS_PER_BATCH,
  noRequests,
  type OutcomeCounts,
  SLOTS_PER_HOUR,
  slotOf,
} from '../domain/operator/usage-history.ts';
import { type Decision, minuteOffsetSeconds } from '../domain/rate-limit.ts';

const TICK_MS = 5_000;
const TICKS_PER_MINUTE = 12;
const TICKS_PER_HOUR = 60 * TICKS_PER_MINUTE;
/** More take over 1 % of the CPU time of a core, so they are written once in a minute. */
const HOURS_PER_FLUSH = 5_000;
/** While the store is away, counts may take about 70 MB. Beyond that, the oldest batch is dropped. */
const MAX_HOURS = 100_000;

interface RecordedCall {
  readonly route: { readonly operation?: string | undefined };
  readonly nowMs: number;
  readonly key: KnownKey | undefined;
  readonly decision: Decision | undefined;
}

/**
 * The requests of a key for one operation in one hour, still counted. The fields of the present minute are
 * here too: a request that has to follow few references costs half as much.
 */
interface Counting extends OutcomeCounts {
  readonly accountId: number;
  readonly keyId: number;
  readonly operation: string;
  readonly hourMs: number;
  readonly offsetSeconds: number;
  /** Of the same key. */
  readonly older: Counting | undefined;
  minuteStartsAtMs: number;
  minuteCount: number;
  /** Pairs of a slot and a count for earlier minutes, which add up. */
  readonly minutes: number[];
  firstAtMs: number;
  lastAtMs: number;
}

interface Batch {
  readonly number: number;
  readonly hours: readonly Counting[];
}

interface UsageRecorderOptions {
  readonly history: HistoryWriter;
  readonly now: () => number;
  /** A random name for this process. */
  readonly writer: string;
  /** Replaces `MAX_HOURS`, in tests. */
  readonly maxHours?: number;
  /** Called with the reason when counts are dropped. */
  readonly onBatchLost: (error: unknown) => void;
  readonly onCompactionFailed: (error: unknown) => void;
}

/**
 * Counts requests for the usage history. They are written every few seconds and on stop, never on the
 * path of a request. A process that is killed loses what it counted since its last batch.
 */
export class UsageRecorder implements AsyncDisposable {
  readonly #options: UsageRecorderOptions;
  readonly #maxHours: number;
  /** The newest hour by the id of its key. */
  #newest = new Map<number, Counting>();
  /** The number of all hours, with the older ones. */
  #counting = 0;
  /** To be written, the oldest first. */
  #batches: Batch[] = [];
  #lastNumber = 0;
  #lastError: unknown;
  #flushing: Promise<void> | undefined;
  #ticks = 0;
  #isClosed = false;
  readonly #timer = setInterval(() => this.#tick(), TICK_MS).unref();

  constructor(options: UsageRecorderOptions) {
    this.#options = options;
    this.#maxHours = options.maxHours ?? MAX_HOURS;
  }

  /** Only requests with a valid key have a history. */
  readonly record = (call: RecordedCall, { status }: { readonly status: number }): void => {
    const { key, nowMs, decision } = call;
    if (key === undefined) return;
    const operation = call.route.operation ?? 'unknown';
    let hour = this.#newest.get(key.key.id);
    while (hour !== undefined && !isOf(hour, operation, nowMs)) hour = hour.older;
    hour ??= this.#addHour(key, operation, nowMs);
    const minuteMs = nowMs - hour.minuteStartsAtMs;
    if (minuteMs < 0 || minuteMs >= MINUTE_MS) beginMinute(hour, nowMs);
    hour.minuteCount++;
    if (nowMs < hour.firstAtMs) hour.firstAtMs = nowMs;
    if (nowMs > hour.lastAtMs) hour.lastAtMs = nowMs;
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
    this.#cut();
    for (const _ of this.#batches) this.#options.onBatchLost(this.#lastError);
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

  /** Counts go on in the same hours until the batches before them are written. */
  async #writeAll(): Promise<void> {
    if (await this.#writeBatches()) {
      this.#cut();
      await this.#writeBatches();
    }
    this.#dropExcess();
  }

  /** False if the store is away. The batch is sent again later, with the same number. */
  async #writeBatches(): Promise<boolean> {
    const { history, writer, onBatchLost } = this.#options;
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      try {
        const hours = batch.hours.map(toHour);
        await history.add({ writer, number: batch.number, hours });
      } catch (error) {
        this.#lastError = error;
        if (error instanceof StoreUnavailableError) return false;
        // It would fail every time.
        onBatchLost(error);
      }
      // It may have been dropped meanwhile.
      if (this.#batches[0] === batch) this.#batches.shift();
    }
    return true;
  }

  /** Turns what was counted into batches. */
  #cut(): void {
    const hours: Counting[] = [];
    for (const newest of this.#newest.values()) {
      for (let hour: Counting | undefined = newest; hour; hour = hour.older) hours.push(hour);
    }
    // If some must be dropped, it is the oldest of every key, not all of a few keys.
    hours.sort((a, b) => a.hourMs - b.hourMs);
    this.#newest = new Map();
    this.#counting = 0;
    for (let start = 0; start < hours.length; start += MAX_HOURS_PER_BATCH) {
      const part = hours.slice(start, start + MAX_HOURS_PER_BATCH);
      this.#batches.push({ number: ++this.#lastNumber, hours: part });
    }
  }

  /** While the store is away for long, the newest counts are the ones to keep. */
  #dropExcess(): void {
    let hours = this.#batches.reduce((sum, batch) => sum + batch.hours.length, this.#counting);
    if (hours <= this.#maxHours) return;
    this.#cut();
    while (hours > this.#maxHours) {
      hours -= this.#batches.shift()?.hours.length ?? hours;
      this.#options.onBatchLost(this.#lastError);
    }
  }

  #addHour({ key, caller }: KnownKey, operation: string, nowMs: number): Counting {
    const hour = {
      ...{ accountId: key.accountId, keyId: key.id, operation, hourMs: nowMs - (nowMs % HOUR_MS) },
      ...{ ...noRequests(), firstAtMs: nowMs, lastAtMs: nowMs },
      ...{ offsetSeconds: minuteOffsetSeconds(caller.subject), older: this.#newest.get(key.id) },
      ...{ minuteStartsAtMs: Number.NEGATIVE_INFINITY, minuteCount: 0, minutes: [] },
    };
    this.#newest.set(key.id, hour);
    this.#counting++;
    return hour;
  }
}

function isOf(hour: Counting, operation: string, nowMs: number): boolean {
  const ageMs = nowMs - hour.hourMs;
  return hour.operation === operation && ageMs >= 0 && ageMs < HOUR_MS;
}

function beginMinute(hour: Counting, nowMs: number): void {
  endMinute(hour);
  const offsetMs = hour.offsetSeconds * 1_000;
  hour.minuteStartsAtMs = nowMs - ((nowMs - offsetMs) % MINUTE_MS);
  hour.minuteCount = 0;
}

function endMinute({
  minutes,
  minuteStartsAtMs,
  minuteCount,
  hourMs,
  offsetSeconds,
}: Counting): void {
  if (minuteCount === 0) return;
  // A minute that began in the hour before has its first slot here.
  minutes.push(slotOf(Math.max(minuteStartsAtMs, hourMs), offsetSeconds), minuteCount);
}

function toHour(counting: Counting): HourOfUse {
  const { older: _, offsetSeconds, minutes, minuteStartsAtMs, minuteCount, ...hour } = counting;
  const slots = new Array<number>(SLOTS_PER_HOUR).fill(0);
  const pairs = [...minutes];
  endMinute({ ...counting, minutes: pairs });
  for (let index = 0; index < pairs.length; index += 2) {
    const slot = pairs[index] ?? 0;
    slots[slot] = (slots[slot] ?? 0) + (pairs[index + 1] ?? 0);
  }
  return { ...hour, slots };
}
