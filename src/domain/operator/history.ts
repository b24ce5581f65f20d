import { DAY_MS, HOUR_MS, startOfDay } from '#domain/durations.ts';
import type { Records } from './transfer.ts';

export const OUTCOMES = [
  'served',
  'refusedByMinute',
  'refusedByDay',
  'refusedByBan',
  // Responses with a status of 4xx other than 429.
  'clientErrors',
  'serverErrors',
] as const;

/** The number of requests for each outcome. Each request has one outcome. */
export type OutcomeCounts = Record<(typeof OUTCOMES)[number], number>;

/** The requests of a key for one operation in one hour or, if that is long ago, in one day (UTC). */
export type UsagePeriod = Records['usagePeriod'];

/** A request was refused because of its key if it has one of these statuses. Any other one was accepted. */
export const REFUSAL_STATUSES: readonly number[] = [401, 403, 429];

/** The operation of a period that has no counts, because a key that is not valid was refused in it. */
export const NOT_COUNTED = '';

/** A period to add, with the last uses of its key in it. Without `acceptedAtMs`, the last request was accepted. */
export interface AddedPeriod extends UsagePeriod {
  /** 0 if no request was accepted. */
  acceptedAtMs?: number;
  refusedAtMs?: number;
  refusal?: string;
}

/** A batch is one transaction, and creations wait for it, so it must be short. */
export const MAX_PERIODS_PER_BATCH = 250;

export interface HistoryWriter extends Pick<HistoryReader, 'oldest'> {
  /**
   * Adds up to `MAX_PERIODS_PER_BATCH` periods to what other instances and earlier batches have counted.
   * Throws `StoreUnavailableError`, although the batch may have been added nevertheless.
   */
  add(periods: readonly AddedPeriod[]): Promise<void>;
  /** Takes one batch of the oldest hours or days before a time. Hours become days, and days are deleted. */
  compact(kind: PeriodKind, beforeMs: number): Promise<void>;
}

export interface HistoryFilter {
  /** Without it, the filter selects all accounts. */
  readonly accountId?: number | undefined;
  readonly operation?: string | undefined;
  /** Selects periods that start at this time or later. */
  readonly sinceMs: number;
}

/** The requests of an account on one day or with one key. `group` is the start of the day, or the id of the key. */
export interface UsageSum extends OutcomeCounts {
  readonly accountId: number;
  readonly group: number;
}

/** The usage history, for operators. Long reads use many short queries, so requests do not wait for them. */
export interface HistoryReader {
  /** Returns periods in the order of their account and their start. */
  read(filter: HistoryFilter): AsyncIterable<UsagePeriod>;
  /** Adds up the requests of each day (UTC) or key of some accounts or of all. It costs less than `read`. */
  sum(by: 'day' | 'key', sinceMs: number, accountIds?: readonly number[]): AsyncIterable<UsageSum>;
  /** Returns the start of the oldest period, or a time in the far future if there is none. */
  oldest(kind: PeriodKind): Promise<number>;
}

/** The time that periods are kept, from their start. Then hours become days, and days are deleted. */
const KEPT_MS = { hours: 90 * DAY_MS, days: (2 * 365 + 1) * DAY_MS };

export type PeriodKind = keyof typeof KEPT_MS;

/**
 * Compacts the history, but never more than its oldest day at once: if the clock is years ahead by mistake,
 * an operator must be able to notice it before the whole history is deleted. Returns true if there is a
 * backlog of more than a day.
 */
export async function compactHistory(history: HistoryWriter, nowMs: number): Promise<boolean> {
  let hasBacklog = false;
  for (const kind of ['hours', 'days'] as const) {
    const dueMs = nowMs - KEPT_MS[kind];
    const beforeMs = Math.min(dueMs, startOfDay(await history.oldest(kind)) + DAY_MS);
    while ((await history.oldest(kind)) < beforeMs) await history.compact(kind, beforeMs);
    hasBacklog ||= dueMs - beforeMs > DAY_MS;
  }
  return hasBacklog;
}

export const RECENT_DAYS = 30;

/** The start of the last 30 days (UTC), which include today. */
export function startOfRecentDays(nowMs: number): number {
  return startOfDay(nowMs) - (RECENT_DAYS - 1) * DAY_MS;
}

export function requestsOf(counts: OutcomeCounts): number {
  return counts.served + refusalsOf(counts) + counts.clientErrors + counts.serverErrors;
}

export function refusalsOf(counts: OutcomeCounts): number {
  return counts.refusedByMinute + counts.refusedByDay + counts.refusedByBan;
}

export function noRequests(): OutcomeCounts {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as OutcomeCounts;
}

/** Adds the second counts to the first, outcome by outcome. */
export function addCounts(sums: OutcomeCounts, counts: OutcomeCounts): void {
  for (const outcome of OUTCOMES) sums[outcome] += counts[outcome];
}

const GROUPS = {
  account: ({ accountId }: UsagePeriod) => accountId,
  day: ({ startsAtMs }: UsagePeriod) => startOfDay(startsAtMs),
  hour: ({ startsAtMs }: UsagePeriod) => startsAtMs - (startsAtMs % HOUR_MS),
  operation: ({ operation }: UsagePeriod) => operation,
  key: ({ keyId }: UsagePeriod) => keyId,
};
export type HistoryGroup = keyof typeof GROUPS;
export const HISTORY_GROUPS = Object.keys(GROUPS) as HistoryGroup[];

/** The usage of one account, day, hour, operation or key. */
export type UsageGroup = ReturnType<typeof emptyGroup>;

const PERIOD_MS = { day: DAY_MS, hour: HOUR_MS };

/**
 * Adds up the usage of each group. Days and hours are returned in their order and without gaps until now.
 * Other groups are sorted by their requests, the busiest first.
 */
export async function reportHistory(
  periods: AsyncIterable<UsagePeriod>,
  by: HistoryGroup,
  nowMs: number,
): Promise<UsageGroup[]> {
  const groups = new Map<number | string, UsageGroup>();
  for await (const period of periods) {
    const group = GROUPS[by](period);
    const totals = groups.getOrInsertComputed(group, emptyGroup);
    addCounts(totals, period);
    totals.requests += requestsOf(period);
    totals.busiestMinute = Math.max(totals.busiestMinute, period.busiestMinute);
  }
  if (by !== 'day' && by !== 'hour') {
    return [...groups.values()].sort((a, b) => b.requests - a.requests);
  }
  const first = Math.min(...(groups.keys() as MapIterator<number>));
  const rows: UsageGroup[] = [];
  for (let start = first; start <= nowMs; start += PERIOD_MS[by]) {
    rows.push(groups.get(start) ?? emptyGroup(start));
  }
  return rows;
}

/** `group` is the id of the account or key, the start of the day or hour, or the name of the operation. */
function emptyGroup(group: number | string) {
  return {
    group,
    requests: 0,
    /** The most requests that one account sent in one of its minutes, with all its keys and operations. */
    busiestMinute: 0,
    ...noRequests(),
  };
}

/** The requests of one key for one operation, whatever their outcome was. */
export type OperationCaller = ReturnType<typeof firstCall>;

function firstCall({ accountId, keyId, startsAtMs, lastAtMs }: UsagePeriod) {
  return {
    accountId,
    keyId,
    lastDay: 0,
    lastWeek: 0,
    /** The last 30 days. */
    lastMonth: 0,
    /** The start of the first hour or, if that is old, of its day. */
    firstAtMs: startsAtMs,
    lastAtMs,
  };
}

/** Adds up the periods of one operation for each key. The keys with the most requests come first. */
export async function callersOf(
  periods: AsyncIterable<UsagePeriod>,
  nowMs: number,
): Promise<OperationCaller[]> {
  const callers = new Map<number, OperationCaller>();
  for await (const period of periods) {
    const caller = callers.getOrInsertComputed(period.keyId, () => firstCall(period));
    // A period counts as a whole if its last request is recent, so a key that was just used never shows 0.
    const within = (days: number) =>
      period.lastAtMs > nowMs - days * DAY_MS ? requestsOf(period) : 0;
    caller.lastDay += within(1);
    caller.lastWeek += within(7);
    caller.lastMonth += within(30);
    caller.firstAtMs = Math.min(caller.firstAtMs, period.startsAtMs);
    caller.lastAtMs = Math.max(caller.lastAtMs, period.lastAtMs);
  }
  return [...callers.values()].sort((a, b) => b.lastMonth - a.lastMonth || b.lastAtMs - a.lastAtMs);
}
