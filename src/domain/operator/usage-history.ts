import { DAY_MS, HOUR_SECONDS, MINUTE_SECONDS, startOfDay } from '../durations.ts';

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

export const OUTCOMES = [
  'served',
  'refusedByMinute',
  'refusedByDay',
  'refusedByBan',
  'clientErrors',
  'serverErrors',
] as const satisfies readonly (keyof OutcomeCounts)[];

/** The requests of a key for one operation in one hour. */
export interface HourOfUse extends OutcomeCounts {
  readonly accountId: number;
  readonly keyId: number;
  /** `unknown` for a path or a method without an operation, as in the metrics. */
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
  /** Greater than that of the batch before. */
  readonly number: number;
  /** At most one for each key, operation and hour, and at most `MAX_HOURS_PER_BATCH`. */
  readonly hours: readonly HourOfUse[];
}

/** A batch is one transaction, which must not keep creations waiting. */
export const MAX_HOURS_PER_BATCH = 1_000;

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
  /** Periods that start at this time or later. */
  readonly sinceMs: number;
}

export type DaysFilter = Pick<HistoryFilter, 'accountIds' | 'sinceMs'>;

/** The requests of an account on one day. */
export interface DayOfUse extends OutcomeCounts {
  readonly accountId: number;
  readonly dayMs: number;
}

/** Usage in the past, for operators. */
export interface HistoryReader {
  /** In the order of account and start. Reads page by page, so it holds up nothing else. */
  read(filter: HistoryFilter): AsyncIterable<PeriodOfUse>;
  /**
   * Sums for each account and day (UTC). Costs less than `read`, and holds up nothing else either. An
   * account and a day may come more than once.
   */
  sumDays(filter: DaysFilter): AsyncIterable<DayOfUse>;
  /** The time of the last request by the id of each key that sent one, of one account or of all. */
  lastUses(accountId?: number): Promise<ReadonlyMap<number, number>>;
}

/** Hours are kept for this long, then days. */
export const HOURS_KEPT_DAYS = 90;
const DAYS_KEPT_DAYS = 2 * 365;

/** Periods that start before these times are too old: whole days in UTC. */
export interface HistoryCutoffs {
  readonly hoursMs: number;
  readonly daysMs: number;
}

export function historyCutoffs(nowMs: number): HistoryCutoffs {
  const todayMs = startOfDay(nowMs);
  return {
    hoursMs: todayMs - HOURS_KEPT_DAYS * DAY_MS,
    daysMs: todayMs - DAYS_KEPT_DAYS * DAY_MS,
  };
}

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

export function noRequests(): OutcomeCounts {
  return {
    served: 0,
    refusedByMinute: 0,
    refusedByDay: 0,
    refusedByBan: 0,
    clientErrors: 0,
    serverErrors: 0,
  };
}

/** Adds outcome by outcome. */
export function addCounts(sums: OutcomeCounts, counts: OutcomeCounts): void {
  for (const outcome of OUTCOMES) sums[outcome] += counts[outcome];
}

/** Adds slot by slot. */
export function addSlots(sums: number[], slots: readonly number[]): void {
  slots.forEach((count, slot) => {
    sums[slot] = (sums[slot] ?? 0) + count;
  });
}
