import { DAY_MS, startOfDay } from '../durations.ts';

export const OUTCOMES = [
  'served',
  'refusedByMinute',
  'refusedByDay',
  'refusedByBan',
  // Responses of the class 4xx other than 429.
  'clientErrors',
  'serverErrors',
] as const;

/** Requests by their outcome. Each request counts once. */
export type OutcomeCounts = Record<(typeof OUTCOMES)[number], number>;

/** The requests of a key for one operation in one hour, or in one day (UTC) once that is old. */
export interface PeriodOfUse extends OutcomeCounts {
  readonly accountId: number;
  readonly startsAtMs: number;
  readonly keyId: number;
  /** `unknown` for a path or a method without an operation, as in the metrics. */
  readonly operation: string;
  /** The most requests that the limiter counted in one minute of the account, with all its keys. */
  busiestMinute: number;
  lastAtMs: number;
}

/** A batch is one transaction, which must not keep creations waiting. */
export const MAX_PERIODS_PER_BATCH = 1_000;

export interface HistoryWriter {
  /**
   * Adds to what other instances and earlier batches have counted, at most `MAX_PERIODS_PER_BATCH`.
   * Throws `StoreUnavailableError`; the batch may have been added nevertheless.
   */
  add(periods: readonly PeriodOfUse[]): Promise<void>;
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

const HOURS_KEPT_MS = 90 * DAY_MS;
const DAYS_KEPT_MS = 2 * 365 * DAY_MS;

/** Hours and days that start before these times are too old. */
export interface HistoryCutoffs {
  readonly hoursMs: number;
  readonly daysMs: number;
}

export function historyCutoffs(nowMs: number): HistoryCutoffs {
  return {
    // Not whole days: the hours of one hour are a short transaction.
    hoursMs: nowMs - HOURS_KEPT_MS,
    daysMs: startOfDay(nowMs) - DAYS_KEPT_MS,
  };
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
