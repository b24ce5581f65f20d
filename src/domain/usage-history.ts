import { HOUR_SECONDS, MINUTE_SECONDS } from './durations.ts';

/** Requests by their outcome. Each request counts once. */
export interface OutcomeCounts {
  served: number;
  refusedByMinute: number;
  refusedByDay: number;
  refusedByBan: number;
  /** Responses of the class 4xx other than 429. */
  clientErrors: number;
  serverErrors: number;
}

/** The requests of a key for one operation in one hour. */
export interface HourOfUse extends OutcomeCounts {
  readonly accountId: number;
  readonly keyId: number;
  /** `none` for a path or a method without an operation. */
  readonly operation: string;
  readonly hourMs: number;
  /** All requests of the hour, by `slotOf`. */
  readonly slots: readonly number[];
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** An hour, or a whole day once its hours are too old to keep. */
export interface PeriodOfUse extends OutcomeCounts {
  readonly accountId: number;
  readonly keyId: number;
  readonly operation: string;
  readonly startsAtMs: number;
  /** Undefined for a day. */
  readonly slots: readonly number[] | undefined;
  /** The most requests in one minute. */
  readonly busiestMinute: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** What one instance counted since its last batch. */
export interface HistoryBatch {
  /** A random name for the process. A batch that is sent again is added only once. */
  readonly writer: string;
  readonly number: number;
  readonly hours: readonly HourOfUse[];
}

export interface HistoryWriter {
  /** Adds to what other instances and earlier batches have counted. Throws `StoreUnavailableError`. */
  add(batch: HistoryBatch): Promise<void>;
  /** Turns hours that are too old into days, and deletes days that are too old. */
  compact(nowMs: number): Promise<void>;
}

export interface HistoryFilter {
  /** Default: all accounts. */
  readonly accountIds?: readonly number[] | undefined;
  readonly operation?: string | undefined;
  readonly sinceMs: number;
}

/** Usage in the past, for operators. */
export interface HistoryReader {
  /** In the order of account and start. */
  read(filter: HistoryFilter): AsyncIterable<PeriodOfUse>;
  /** The time of the last request of each key that sent one, of one account or of all. */
  lastUses(accountId?: number): Promise<ReadonlyMap<number, number>>;
}

/** Hours are kept for this long, then days. */
export const HOURS_KEPT_DAYS = 90;
export const DAYS_KEPT_DAYS = 2 * 365;

/** A minute of an account that begins in one hour and ends in the next has a slot in both. */
export const SLOTS_PER_HOUR = HOUR_SECONDS / MINUTE_SECONDS + 1;

/**
 * The slot of a request in its hour. Slots are the minutes of the account's limit, which start at
 * `offsetSeconds` of each clock minute, so they tell exactly what another limit would have refused.
 */
export function slotOf(atMs: number, offsetSeconds: number): number {
  const secondOfHour = Math.floor(atMs / 1000) % HOUR_SECONDS;
  return Math.floor((secondOfHour - offsetSeconds) / MINUTE_SECONDS) + 1;
}

export function requestsOf(counts: OutcomeCounts): number {
  return counts.served + refusalsOf(counts) + counts.clientErrors + counts.serverErrors;
}

export function refusalsOf(counts: OutcomeCounts): number {
  return counts.refusedByMinute + counts.refusedByDay + counts.refusedByBan;
}

/** Adds slot by slot. */
export function addSlots(sums: number[], slots: readonly number[]): void {
  slots.forEach((count, slot) => {
    sums[slot] = (sums[slot] ?? 0) + count;
  });
}
